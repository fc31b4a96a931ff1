-- What the release of the sealed record has brought.
INSERT INTO erasure_key (sealed) VALUES ('k1.c2VhbGVk');
