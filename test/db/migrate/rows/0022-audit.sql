-- A few rows of every table, as the release with these migrations writes them. Loaded into a database that the
-- migrations up to the name of this file have made, and upgraded from there (upgrade.test.ts).

SELECT make_month(base, '2026-11-20T00:00:00Z') FROM unnest(ARRAY['events', 'deliveries', 'delivery_attempts',
  'journal', 'margin_evaluations', 'margin_decisions']) AS base;
SELECT make_span(base, '2026-11-20T00:00:00Z')
  FROM unnest(ARRAY['request_log', 'facility_ltv_hours', 'facility_ltv_days']) AS base;

INSERT INTO stack (name, instance_id) VALUES ('sandbox', '01890a5d-ac96-774b-bcce-b302099a8057');

INSERT INTO absent_tenants (tenant_id, since) VALUES
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', '2026-11-20 12:00:00+00');

INSERT INTO api_key_owners (key_id, tenant_id) VALUES
  ('key_01kaqv7zg0e8js5xf2gf4d71jy', 'ten_01m8hd13vxe4evm6jmy5hvbqs3');

INSERT INTO asked_addresses (address, asked_by, asked_at) VALUES
  ('eve@example.com', 'ten_01m8hd13vxe4evm6jmy5hvbqs3', '2026-11-20 12:00:00+00');

DELETE FROM audits;
INSERT INTO audits (only_row, slot, violations, unfinished, findings, progress, marked_from) VALUES
  ('true', '0', '{}', '0', '[]', '{}', '2026-11-28 15:40:10.562743+00');

INSERT INTO console_challenges (challenge, purpose, subject, expires_at) VALUES
  (E'\\xabababababababababababababababababababababababababababababababab', 'sign_in', '', '2026-11-20 12:00:00+00');

INSERT INTO deliveries (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type, state, attempts, failures, retry_requested, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'evt_01m8hd173ce4evm6nf50y6tnf6', '2026-11-28 15:40:26.604+00', '4', 'draw.completed', 'delivered', '1', '0', 'false', '2026-11-28 15:40:34.274494+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'evt_01m8hd194be4evm6phwngkedwe', '2026-11-28 15:40:28.683+00', '7', 'facility.closed', 'delivered', '1', '0', 'false', '2026-11-28 15:40:34.274494+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'evt_01m8hd1adre4evm6s60190nhsa', '2026-11-28 15:40:30.008+00', '11', 'draw.completed', 'delivered', '1', '0', 'false', '2026-11-28 15:40:34.274494+00');

INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number, started_at, status, duration_ms, response_excerpt, requested, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'evt_01m8hd173ce4evm6nf50y6tnf6', '2026-11-28 15:40:26.604+00', '1', '2026-11-28 15:41:34.204+00', '204', '1', '', 'false', '2026-11-28 15:40:34.274494+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'evt_01m8hd194be4evm6phwngkedwe', '2026-11-28 15:40:28.683+00', '1', '2026-11-28 15:41:34.204+00', '204', '1', '', 'false', '2026-11-28 15:40:34.274494+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'evt_01m8hd1adre4evm6s60190nhsa', '2026-11-28 15:40:30.008+00', '1', '2026-11-28 15:41:34.204+00', '204', '1', '', 'false', '2026-11-28 15:40:34.274494+00');

INSERT INTO events (tenant_id, event_id, sequence, type, resource_type, resource_id, resource_version, occurred_at, recorded_at, body, facility_id, borrower_id, previous_hash, hash, records, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd14dme4evm6m0h8fsef27', '1', 'borrower.eligible', 'borrower', 'bor_01m8hd143ge4evm6k2s5kh77nt', '1', '2026-11-20 12:00:00+00', '2026-11-28 15:40:23.86+00', '{"id":"evt_01m8hd14dme4evm6m0h8fsef27","type":"borrower.eligible","occurred_at":"2026-11-20T12:00:00.000Z","resource_version":1,"resource":{"type":"borrower","id":"bor_01m8hd143ge4evm6k2s5kh77nt"},"sequence":1,"data":{"borrower_id":"bor_01m8hd143ge4evm6k2s5kh77nt"}}', NULL, 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x05d78770f90e2f8c387027c7bd7ca00c6cd454fa965d0a234142a072eaa94659', NULL, '2026-11-28 15:40:23.817598+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1510e4evm6mhfm3x6jrw', '2', 'facility.decisioned', 'facility', 'fac_01m8hd14nye4evm6mf008d9c18', '1', '2026-11-20 12:00:00+00', '2026-11-28 15:40:24.48+00', '{"id":"evt_01m8hd1510e4evm6mhfm3x6jrw","type":"facility.decisioned","occurred_at":"2026-11-20T12:00:00.000Z","resource_version":1,"resource":{"type":"facility","id":"fac_01m8hd14nye4evm6mf008d9c18"},"sequence":2,"data":{"facility_id":"fac_01m8hd14nye4evm6mf008d9c18","borrower_id":"bor_01m8hd143ge4evm6k2s5kh77nt","decision":"approved","limit":{"amount":"40000.00","asset":"USD"},"rate":"0.1","reasons":[]}}', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\x05d78770f90e2f8c387027c7bd7ca00c6cd454fa965d0a234142a072eaa94659', E'\\xe4150ddc21a6783a77c156302b8b09b526c8100671c46047e1670b61627b5684', NULL, '2026-11-28 15:40:24.331734+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd15rbe4evm6n7281edt97', '3', 'facility.floor_updated', 'facility', 'fac_01m8hd14nye4evm6mf008d9c18', '2', '2026-11-20 12:00:00+00', '2026-11-28 15:40:25.227+00', '{"id":"evt_01m8hd15rbe4evm6n7281edt97","type":"facility.floor_updated","occurred_at":"2026-11-20T12:00:00.000Z","resource_version":2,"resource":{"type":"facility","id":"fac_01m8hd14nye4evm6mf008d9c18"},"sequence":3,"data":{"facility_id":"fac_01m8hd14nye4evm6mf008d9c18","required_floor_usd":"714.69","previous_floor_usd":"0.00","reason":"draw"}}', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\xe4150ddc21a6783a77c156302b8b09b526c8100671c46047e1670b61627b5684', E'\\xbbaabfb08d3710b855c7d378ed298710ef33d0bcb3648a039dee6da1101894ea', NULL, '2026-11-28 15:40:25.179157+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd173ce4evm6nf50y6tnf6', '4', 'draw.completed', 'draw', 'drw_01m8hd15ghe4evm6msk4pvvcyd', '1', '2026-11-20 12:00:00+00', '2026-11-28 15:40:26.604+00', '{"id":"evt_01m8hd173ce4evm6nf50y6tnf6","type":"draw.completed","occurred_at":"2026-11-20T12:00:00.000Z","resource_version":1,"resource":{"type":"draw","id":"drw_01m8hd15ghe4evm6msk4pvvcyd"},"sequence":4,"data":{"facility_id":"fac_01m8hd14nye4evm6mf008d9c18","draw_id":"drw_01m8hd15ghe4evm6msk4pvvcyd","amount":{"amount":"500.00","asset":"USD"},"reference":"paid-drw_01m8hd15ghe4evm6msk4pvvcyd","completed_at":"2026-11-20T12:00:00.000Z"},"records":"257b861396ef4c021c2dd4b3d71ec6ffaccd6378db1f8c5bbeb2b3aa08ac2856"}', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\xbbaabfb08d3710b855c7d378ed298710ef33d0bcb3648a039dee6da1101894ea', E'\\x5a198cd2aa7db57177c9d1dce1f64480c5b955407247a92d2434263888935fba', '{"journal draw/drw_01m8hd15ghe4evm6msk4pvvcyd d4a4f6ee01d0ea75d5bc71b8572bc553797ef8267be26506f50a556848d83e2f"}', '2026-11-28 15:40:25.748907+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd181qe4evm6p6f7em3213', '5', 'repayment.applied', 'repayment', 'rep_01m8hd17mqe4evm6nmrck5zhxx', '1', '2026-11-20 13:00:00+00', '2026-11-28 15:40:27.575+00', '{"id":"evt_01m8hd181qe4evm6p6f7em3213","type":"repayment.applied","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":1,"resource":{"type":"repayment","id":"rep_01m8hd17mqe4evm6nmrck5zhxx"},"sequence":5,"data":{"facility_id":"fac_01m8hd14nye4evm6mf008d9c18","repayment_id":"rep_01m8hd17mqe4evm6nmrck5zhxx","delivered":{"amount":"600.00","asset":"USD"},"confirmed":{"amount":"600.00","asset":"USD"},"allocation":{"interest":{"amount":"0.01","asset":"USD"},"principal":{"amount":"500.00","asset":"USD"},"refund_due":{"amount":"99.99","asset":"USD"}},"outstanding_usd":"0.00"},"records":"943f6cb6654cc3994c36bb0a325d4e1f694cdbcd5cba7eed0f4f8793f3fb1893"}', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\x5a198cd2aa7db57177c9d1dce1f64480c5b955407247a92d2434263888935fba', E'\\xb9ced84c213ef4adceff226261aeb8261182aa849742df59138f3bca0ee46643', '{"journal interest/repayment/rep_01m8hd17mqe4evm6nmrck5zhxx c7fa49591dad040825dda010d53717f9df8ea0d430f0d03cc458e4bde9e396ed","journal repayment/rep_01m8hd17mqe4evm6nmrck5zhxx febcf420bd9ed5cca7ec1c2f233c467b484b169469815b704655ddd2d781b365"}', '2026-11-28 15:40:27.363744+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd18wqe4evm6pbcvk80cd9', '6', 'facility.floor_updated', 'facility', 'fac_01m8hd14nye4evm6mf008d9c18', '3', '2026-11-20 13:00:00+00', '2026-11-28 15:40:28.439+00', '{"id":"evt_01m8hd18wqe4evm6pbcvk80cd9","type":"facility.floor_updated","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":3,"resource":{"type":"facility","id":"fac_01m8hd14nye4evm6mf008d9c18"},"sequence":6,"data":{"facility_id":"fac_01m8hd14nye4evm6mf008d9c18","required_floor_usd":"0.00","previous_floor_usd":"714.69","reason":"update"},"records":"c70a1168cc2e22df5aa0e83a8d997a944e5da750d5974a51838d4409952a63ec"}', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\xb9ced84c213ef4adceff226261aeb8261182aa849742df59138f3bca0ee46643', E'\\xd2e5f050f3a0012a2088fb312f79d0ad4e7e96df8b085473d192fed864280698', '{"journal refund/rfd_01m8hd17zge4evm6nvxcec1axt 2de87b5011c89abc99c781162b33160cf16f3173cce3e912b67b2aec85bcad50"}', '2026-11-28 15:40:28.422768+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd194be4evm6phwngkedwe', '7', 'facility.closed', 'facility', 'fac_01m8hd14nye4evm6mf008d9c18', '4', '2026-11-20 13:00:00+00', '2026-11-28 15:40:28.683+00', '{"id":"evt_01m8hd194be4evm6phwngkedwe","type":"facility.closed","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":4,"resource":{"type":"facility","id":"fac_01m8hd14nye4evm6mf008d9c18"},"sequence":7,"data":{"facility_id":"fac_01m8hd14nye4evm6mf008d9c18","closed_at":"2026-11-20T13:00:00.000Z","reason":"repaid"}}', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', E'\\xd2e5f050f3a0012a2088fb312f79d0ad4e7e96df8b085473d192fed864280698', E'\\x0df126b69d466c6930b9fe803a930591940f3f3854e6b750caec1b9663ae7005', NULL, '2026-11-28 15:40:28.640342+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd19g8e4evm6qy586xjhke', '8', 'borrower.eligible', 'borrower', 'bor_01m8hd196se4evm6prthqvvrq0', '1', '2026-11-20 13:00:00+00', '2026-11-28 15:40:29.064+00', '{"id":"evt_01m8hd19g8e4evm6qy586xjhke","type":"borrower.eligible","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":1,"resource":{"type":"borrower","id":"bor_01m8hd196se4evm6prthqvvrq0"},"sequence":8,"data":{"borrower_id":"bor_01m8hd196se4evm6prthqvvrq0"}}', NULL, 'bor_01m8hd196se4evm6prthqvvrq0', E'\\x0df126b69d466c6930b9fe803a930591940f3f3854e6b750caec1b9663ae7005', E'\\xaf61271e508b5be0e1d599fb199a1d16ebcffcb3b4ea445bc509f59b08bf17fb', NULL, '2026-11-28 15:40:28.985093+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd19twe4evm6rdt6r2a1s5', '9', 'facility.decisioned', 'facility', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '2026-11-20 13:00:00+00', '2026-11-28 15:40:29.404+00', '{"id":"evt_01m8hd19twe4evm6rdt6r2a1s5","type":"facility.decisioned","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":1,"resource":{"type":"facility","id":"fac_01m8hd19kwe4evm6r0v0hjx7we"},"sequence":9,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","borrower_id":"bor_01m8hd196se4evm6prthqvvrq0","decision":"approved","limit":{"amount":"48000.00","asset":"USD"},"rate":"0.1","reasons":[]}}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\xaf61271e508b5be0e1d599fb199a1d16ebcffcb3b4ea445bc509f59b08bf17fb', E'\\xa2d629021ec25b8210be8721011ef28ce78807e93422f5d782dcaab606a3039f', NULL, '2026-11-28 15:40:29.329999+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1a59e4evm6rvc7s4pqgd', '10', 'facility.floor_updated', 'facility', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '2', '2026-11-20 13:00:00+00', '2026-11-28 15:40:29.737+00', '{"id":"evt_01m8hd1a59e4evm6rvc7s4pqgd","type":"facility.floor_updated","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":2,"resource":{"type":"facility","id":"fac_01m8hd19kwe4evm6r0v0hjx7we"},"sequence":10,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","required_floor_usd":"68609.02","previous_floor_usd":"0.00","reason":"draw"}}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\xa2d629021ec25b8210be8721011ef28ce78807e93422f5d782dcaab606a3039f', E'\\xe760af7d6c8cc4a7c1df9b4ed5407fab0f4d3fc07489af64f7fc7f521aefc432', NULL, '2026-11-28 15:40:29.704315+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1adre4evm6s60190nhsa', '11', 'draw.completed', 'draw', 'drw_01m8hd19yxe4evm6rqn0gcjrga', '1', '2026-11-20 13:00:00+00', '2026-11-28 15:40:30.008+00', '{"id":"evt_01m8hd1adre4evm6s60190nhsa","type":"draw.completed","occurred_at":"2026-11-20T13:00:00.000Z","resource_version":1,"resource":{"type":"draw","id":"drw_01m8hd19yxe4evm6rqn0gcjrga"},"sequence":11,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","draw_id":"drw_01m8hd19yxe4evm6rqn0gcjrga","amount":{"amount":"48000.00","asset":"USD"},"reference":"paid-drw_01m8hd19yxe4evm6rqn0gcjrga","completed_at":"2026-11-20T13:00:00.000Z"},"records":"71e4f1ba9f7e00dad8534caa9a94d533e4ca7e511999e88887b95e9ba5d6dcc1"}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\xe760af7d6c8cc4a7c1df9b4ed5407fab0f4d3fc07489af64f7fc7f521aefc432', E'\\x2353660647f5984d7d14dc05be3b62f4407226411abf94866f45fddeb1ddea9b', '{"journal draw/drw_01m8hd19yxe4evm6rqn0gcjrga b9f9f50825cd50a0150d74a8d26014424084f503231fbadb86c046b7b7290c16"}', '2026-11-28 15:40:29.934891+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1az1e4evm6sec6mstq8d', '12', 'margin_warning.raised', 'margin_warning', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '1', '2026-11-20 13:01:00+00', '2026-11-28 15:40:30.561+00', '{"id":"evt_01m8hd1az1e4evm6sec6mstq8d","type":"margin_warning.raised","occurred_at":"2026-11-20T13:01:00.000Z","resource_version":1,"resource":{"type":"margin_warning","id":"fac_01m8hd19kwe4evm6r0v0hjx7we/1"},"sequence":12,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","number":1,"tier":1,"cure_amount":{"amount":"8463.47","asset":"USD"},"deadline":"2026-11-22T13:01:00.000Z","window_deadline":"2026-11-22T13:01:00.000Z","ltv":"0.727714","latest_ltv":"0.727714","required_floor_usd":"80000.02","cure_collateral_usd":"14105.79"},"records":"d7390e050bc9c52d4410f671ecb8e81aa9ca6ec374f0188a5007454014f86c65"}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\x2353660647f5984d7d14dc05be3b62f4407226411abf94866f45fddeb1ddea9b', E'\\x0c8a478519aa1dedc1e2d6dac798194bce9c6021c96681740578beaf26f42b89', '{"decision 1/1 e5c6f8db3603242efb089784a302eff4e7f14575d8be88d2ce2fbf060e04ef01"}', '2026-11-28 15:40:30.363591+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1b6qe4evm6shnm8c19zw', '13', 'facility.floor_updated', 'facility', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '3', '2026-11-20 13:01:00+00', '2026-11-28 15:40:30.807+00', '{"id":"evt_01m8hd1b6qe4evm6shnm8c19zw","type":"facility.floor_updated","occurred_at":"2026-11-20T13:01:00.000Z","resource_version":3,"resource":{"type":"facility","id":"fac_01m8hd19kwe4evm6r0v0hjx7we"},"sequence":13,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","required_floor_usd":"80043.87","previous_floor_usd":"68609.02","reason":"update"}}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\x0c8a478519aa1dedc1e2d6dac798194bce9c6021c96681740578beaf26f42b89', E'\\x3a15a1d9691b503328dafbbdd036a35aca6ae4f40eae84e4456e7ffa1f8ff586', NULL, '2026-11-28 15:40:30.782392+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1c0ze4evm6stn1e821ax', '14', 'margin_warning.raised', 'margin_warning', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '2', '2026-11-20 13:02:00+00', '2026-11-28 15:40:31.647+00', '{"id":"evt_01m8hd1c0ze4evm6stn1e821ax","type":"margin_warning.raised","occurred_at":"2026-11-20T13:02:00.000Z","resource_version":2,"resource":{"type":"margin_warning","id":"fac_01m8hd19kwe4evm6r0v0hjx7we/1"},"sequence":14,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","number":1,"tier":3,"cure_amount":{"amount":"13675.17","asset":"USD"},"deadline":"2026-11-20T13:02:00.000Z","window_deadline":"2026-11-20T15:02:00.000Z","ltv":"0.838722","latest_ltv":"0.838722","required_floor_usd":"80000.04","cure_collateral_usd":"22791.95"},"records":"7d3279fea5d667330e89edc4afe77ccdedd7f1d8c7a16fcbf60f3a6392a6742c"}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\x3a15a1d9691b503328dafbbdd036a35aca6ae4f40eae84e4456e7ffa1f8ff586', E'\\xd62a767ead5c49d00133a6fd6561bde894ea32ba401daea060abc2560b590cbe', '{"decision 1/2 e40fdb454997617fe19741757f62eb3ff2ee714f1d5d706f8d7c1f95137c0599"}', '2026-11-28 15:40:31.279045+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1cgke4evm6t111t45ng1', '15', 'margin_warning.escalated', 'margin_warning', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '3', '2026-11-20 13:02:00+00', '2026-11-28 15:40:32.147+00', '{"id":"evt_01m8hd1cgke4evm6t111t45ng1","type":"margin_warning.escalated","occurred_at":"2026-11-20T13:02:00.000Z","resource_version":3,"resource":{"type":"margin_warning","id":"fac_01m8hd19kwe4evm6r0v0hjx7we/1"},"sequence":15,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","number":1,"margin_call_number":1,"reason":"critical"},"records":"1bbfc4753bd6b30c235af4cb317fbe56f4b90f88d5a5db6c2ea688bb835c3c8d"}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\xd62a767ead5c49d00133a6fd6561bde894ea32ba401daea060abc2560b590cbe', E'\\xf0c1f312ce9a352d999a24c12850d3981b1d38a9669eeccb31921155109f4c9a', '{"decision 1/3 40ad9a442e26134e8a98bf4d19a88fa9e431aa8640d19dc3bb09a383b460c1b9"}', '2026-11-28 15:40:31.932034+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1dcbe4evm6t9gczrgpsv', '16', 'margin_call.started', 'margin_call', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '1', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.035+00', '{"id":"evt_01m8hd1dcbe4evm6t9gczrgpsv","type":"margin_call.started","occurred_at":"2026-11-20T13:02:00.000Z","resource_version":1,"resource":{"type":"margin_call","id":"fac_01m8hd19kwe4evm6r0v0hjx7we/1"},"sequence":16,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","number":1,"margin_warning_number":1,"target_ltv":"0.55","planned":[{"asset":"BTC","quantity":"0.62723339"}]}}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\xf0c1f312ce9a352d999a24c12850d3981b1d38a9669eeccb31921155109f4c9a', E'\\x3864fe4f1e87ef1efb9061420fece348458d38db0adbc3c1621bf7c3eef0caa4', NULL, '2026-11-28 15:40:32.619729+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1dxve4evm6tq31tkqrkh', '17', 'margin_call.completed', 'margin_call', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '2', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.595+00', '{"id":"evt_01m8hd1dxve4evm6tq31tkqrkh","type":"margin_call.completed","occurred_at":"2026-11-20T13:02:00.000Z","resource_version":2,"resource":{"type":"margin_call","id":"fac_01m8hd19kwe4evm6r0v0hjx7we/1"},"sequence":17,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","number":1,"outcome":"partial","sold":[{"asset":"BTC","quantity":"0.62723339","proceeds_usd":"37006.77"}],"costs_usd":"370.07","allocation":{"interest":{"amount":"0.02","asset":"USD"},"principal":{"amount":"36636.68","asset":"USD"},"refund_due":{"amount":"0.00","asset":"USD"}},"surplus_usd":"0.00","deficit_usd":"0.00"},"records":"3cf0fcdb66435c646e4a464a5b91a956a36ba9316bc418e4a32f810c27e60cce"}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\x3864fe4f1e87ef1efb9061420fece348458d38db0adbc3c1621bf7c3eef0caa4', E'\\xf9f1d1783eec3cb0c2f2fe2bfcfaa7e3f5868bac2ad29f95419ccab24b09b7eb', '{"journal interest/sale/1/1 b241fd155e3ae0e4420d7f3f0e3754cd6a6b5b04eacd129115135c27de435c97","journal sale/1/1 1074a5e1bf1dc0909b1e2567ddac7e12b0bbb231ab3d3ff2c6bc59d485e33b58","journal sale/1/1/applied 040cb56930e201126e349780150a60eee29c54b4b0eb0740b91cd689772776ec"}', '2026-11-28 15:40:33.420985+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1e7ge4evm6tw7xpd7brt', '18', 'facility.floor_updated', 'facility', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '4', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.904+00', '{"id":"evt_01m8hd1e7ge4evm6tw7xpd7brt","type":"facility.floor_updated","occurred_at":"2026-11-20T13:02:00.000Z","resource_version":4,"resource":{"type":"facility","id":"fac_01m8hd19kwe4evm6r0v0hjx7we"},"sequence":18,"data":{"facility_id":"fac_01m8hd19kwe4evm6r0v0hjx7we","required_floor_usd":"16242.22","previous_floor_usd":"80043.87","reason":"update"}}', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', E'\\xf9f1d1783eec3cb0c2f2fe2bfcfaa7e3f5868bac2ad29f95419ccab24b09b7eb', E'\\x057c0b44c255700658713bf3f5e90b8cc1ea207a5ce1545c26444caa8ea4cd58', NULL, '2026-11-28 15:40:33.867608+00');

INSERT INTO facility_ltv_days (tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', '4800000', '9000000');

INSERT INTO facility_ltv_hours (tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', '4800000', '9000000');

INSERT INTO margin_policy_versions (number, terms, effective_from, note, proposed_by, signed_by, created_at) VALUES
  ('1', '{}', '2026-11-22 12:00:00+00', 'stricter', 'ada@example.com', 'bob@example.com', '2026-11-20 12:00:00+00');

INSERT INTO margin_policy_withdrawals (number, note, proposed_by, signed_by, withdrawn_at) VALUES
  ('1', 'not yet', 'ada@example.com', 'bob@example.com', '2026-11-20 12:00:00+00');

INSERT INTO operator_challenges (challenge, purpose, subject, expires_at) VALUES
  (E'\\xabababababababababababababababababababababababababababababababab', 'sign_in', '', '2026-11-20 12:00:00+00');

DELETE FROM operator_trail;
INSERT INTO operator_trail (only_row, last_number, last_hash) VALUES
  ('true', '2', E'\\xf9d8603936a512e23a90848f129ab42c9eb85c29db15d8aa08d7114419917f72');

INSERT INTO operators (operator_id, email, name, role, created_at) VALUES
  ('opr_1', 'ada@example.com', 'Ada', 'admin', '2026-11-20 12:00:00+00'),
  ('opr_2', 'bob@example.com', 'Bob', 'risk', '2026-11-20 12:00:00+00');

INSERT INTO approvals (approval_id, action, subject_kind, subject_id, request, reason, proposed_by, proposed_at, expires_at, status) VALUES
  ('apr_1', 'residency.set', 'residency', 'US', '{}', 'new rule', 'opr_1', '2026-11-20 12:00:00+00', '2026-11-21 12:00:00+00', 'PENDING');

INSERT INTO operator_actions (number, actor, action, tenant, after, acted_at, previous_hash, hash, written_at) VALUES
  ('1', 'os:tester', 'work.retry', 'ten_01m8hd13vxe4evm6jmy5hvbqs3', '{"days": 1}', '2026-11-20 13:02:00+00', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x70f99d21b2bee09c04b2cbf5b198e4222eb34ce15e8863348e3be5e801fb9b58', '2026-11-28 15:40:34.339544+00'),
  ('2', 'os:tester', 'work.retry', 'ten_01m8hd13vxe4evm6jmy5hvbqs3', '{"days": 2}', '2026-11-20 13:02:00+00', E'\\x70f99d21b2bee09c04b2cbf5b198e4222eb34ce15e8863348e3be5e801fb9b58', E'\\xf9d8603936a512e23a90848f129ab42c9eb85c29db15d8aa08d7114419917f72', '2026-11-28 15:40:34.37826+00');

INSERT INTO operator_answers (operator_id, key, fingerprint, status, body, recorded_at) VALUES
  ('opr_1', '01890a5d-ac96-774b-bcce-b302099a8057', E'\\xabababababababababababababababababababababababababababababababab', '200', '{}', '2026-11-20 12:00:00+00');

INSERT INTO operator_invitations (invitation_id, operator_id, kind, token_hash, is_trusted, created_at, expires_at, used_at, replaces_at) VALUES
  ('inv_1', 'opr_1', 'invitation', E'\\xabababababababababababababababababababababababababababababababab', 'false', '2026-11-20 12:00:00+00', '2026-11-21 12:00:00+00', '2026-11-20 13:00:00+00', '2026-11-20 14:00:00+00');

INSERT INTO operator_mails (mail_id, operator_id, kind, asked_at, sent_at) VALUES
  ('01890a5d-ac96-774b-bcce-b302099a8057', 'opr_1', 'confirm_address', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00');

INSERT INTO operator_passkeys (passkey_id, operator_id, credential_id, public_key, counter, transports, name, created_at, held_since) VALUES
  ('psk_1', 'opr_1', E'\\xabababababababababababababababababababababababababababababababab', E'\\xabababababababababababababababababababababababababababababababab', '3', '{internal}', 'laptop', '2026-11-20 12:00:00+00', '2026-11-28 15:40:37.135291+00');

INSERT INTO operator_sessions (session_id, operator_id, token_hash, signed_in_by, must_add_passkey, created_at, held_since, seen_at) VALUES
  ('ses_1', 'opr_1', E'\\xabababababababababababababababababababababababababababababababab', 'passkey', 'false', '2026-11-20 12:00:00+00', '2026-11-28 15:40:37.125439+00', '2026-11-20 12:00:00+00');

INSERT INTO operator_tokens (token_id, operator_id, name, token_hash, is_trusted, created_at, expires_at) VALUES
  ('otk_1', 'opr_1', 'script', E'\\xabababababababababababababababababababababababababababababababab', 'false', '2026-11-20 12:00:00+00', '2027-11-21 12:00:00+00');

DELETE FROM price_feed;
INSERT INTO price_feed (only_row, slot, candidates) VALUES
  ('true', '0', '{}');

INSERT INTO price_rounds (accepted_at, prices, sources) VALUES
  ('2026-11-20 12:00:00+00', '{"BTC": {"at": "2026-11-20T12:00:00.000Z", "price": "10000000000000"}}', '{}');

INSERT INTO processes (process_id, kind, host, version, started_at, reported_at, report) VALUES
  ('01890a5d-ac96-774b-bcce-b302099a8057', 'worker', 'worker-1', '1.0.0', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', '{}');

INSERT INTO request_log (tenant_id, request_id, received_at, method, route, path, status, duration_us) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'req_1', '2026-11-20 12:00:00+00', 'GET', '/v1/facilities', '/v1/facilities', '200', '900');

INSERT INTO residency_policy (country, state, borrower_type, allowed, updated_at) VALUES
  ('DE', '', 'business', 'true', '2026-11-20 13:02:00+00'),
  ('DE', '', 'individual', 'true', '2026-11-20 13:02:00+00'),
  ('NO', '', 'individual', 'true', '2026-11-20 12:00:00+00');

INSERT INTO resource_versions (tenant_id, resource_type, resource_id, version) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'borrower', 'bor_01m8hd143ge4evm6k2s5kh77nt', '1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'borrower', 'bor_01m8hd196se4evm6prthqvvrq0', '1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'draw', 'drw_01m8hd15ghe4evm6msk4pvvcyd', '1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'draw', 'drw_01m8hd19yxe4evm6rqn0gcjrga', '1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'facility', 'fac_01m8hd14nye4evm6mf008d9c18', '4'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'facility', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '4'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'margin_call', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '2'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'margin_warning', 'fac_01m8hd19kwe4evm6r0v0hjx7we/1', '3'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'repayment', 'rep_01m8hd17mqe4evm6nmrck5zhxx', '1');

INSERT INTO tenant_list (tenant_id) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3'),
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz');

INSERT INTO tenants (tenant_id, name, clock_offset_ms, created_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'Test tenant', '0', '2026-11-20 12:00:00+00'),
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', 'Test tenant', '0', '2026-11-20 13:02:00+00');

INSERT INTO api_keys (tenant_id, key_id, public_key, label, scopes, created_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'key_01kaqv7zg0e8js5xf2gf4d71jy', E'\\xabababababababababababababababababababababababababababababababab', 'first', '{read}', '2026-11-20 12:00:00+00');

INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country, eligible, created_at, updated_at, latest_facility_id, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd143ge4evm6k2s5kh77nt', 'individual', 'true', 'DE', 'true', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', 'fac_01m8hd14nye4evm6mf008d9c18', '2026-11-28 15:40:24.101091+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd196se4evm6prthqvvrq0', 'individual', 'true', 'DE', 'true', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '2026-11-28 15:40:29.115392+00');

INSERT INTO clock_advances (tenant_id, request, target) VALUES
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', 'req_1', '2026-11-20 12:00:00+00');

INSERT INTO closed_months (tenant_id, month, closed_at) VALUES
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', '2026-10-01', '2026-11-20 12:00:00+00');

INSERT INTO console_people (tenant_id, person_id, email, name, role, failure_mails, created_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'per_1', 'eve@example.com', 'Eve', 'admin', 'false', '2026-11-20 12:00:00+00');

INSERT INTO console_actions (tenant_id, action_id, person_id, action, subject, after, acted_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'act_1', 'per_1', 'createKey', 'key_01kaqv7zg0e8js5xf2gf4d71jy', '{"label": "first"}', '2026-11-20 12:00:00+00');

INSERT INTO console_invitations (tenant_id, invitation_id, person_id, kind, token_hash, is_trusted, created_at, expires_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'inv_1', 'per_1', 'invitation', E'\\xabababababababababababababababababababababababababababababababab', 'false', '2026-11-20 12:00:00+00', '2026-11-21 12:00:00+00');

INSERT INTO console_mails (tenant_id, mail_id, person_id, kind, asked_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '01890a5d-ac96-774b-bcce-b302099a8057', 'per_1', 'confirm_address', '2026-11-20 12:00:00+00');

INSERT INTO console_passkeys (tenant_id, passkey_id, person_id, credential_id, public_key, counter, transports, name, created_at, held_since) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'psk_1', 'per_1', E'\\xabababababababababababababababababababababababababababababababab', E'\\xabababababababababababababababababababababababababababababababab', '3', '{internal}', 'laptop', '2026-11-20 12:00:00+00', '2026-11-28 15:40:37.207738+00');

INSERT INTO console_sessions (tenant_id, session_id, person_id, token_hash, signed_in_by, must_add_passkey, created_at, held_since, seen_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'ses_1', 'per_1', E'\\xabababababababababababababababababababababababababababababababab', 'passkey', 'false', '2026-11-20 12:00:00+00', '2026-11-28 15:40:37.203283+00', '2026-11-20 12:00:00+00');

INSERT INTO custodian_positions (tenant_id, borrower_id, positions, read_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd143ge4evm6k2s5kh77nt', '{"BTC": "100000000"}', '2026-11-20 12:00:00+00');

INSERT INTO documents (tenant_id, contract_type, contract_version, title, download_url, content_type, published_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'master_loan_agreement', '2026-01', 'Master Loan Agreement', 'https://documents.example.com/agreement.pdf', 'application/pdf', '2026-11-20 12:00:00+00'),
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', 'master_loan_agreement', '2026-01', 'Master Loan Agreement', 'https://documents.example.com/agreement.pdf', 'application/pdf', '2026-11-20 13:02:00+00');

INSERT INTO event_anchors (tenant_id, sequence, hash) VALUES
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', '5', E'\\xabababababababababababababababababababababababababababababababab');

INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm, principal_cents, reserved_cents, interest_booked_cents, interest_paid_cents, refund_due_cents, charged_off_principal_cents, charged_off_interest_cents, recovered_cents, interest_numerator, accrued_at, custodian_floor_cents, custodian_sequence, floor_sequence, floor_pushed_cents, floor_pushed_at, noticed_ltv_ppm, notices, close_reason, created_at, updated_at, acted_at, decisioned_at, closed_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'bor_01m8hd143ge4evm6k2s5kh77nt', 'CLOSED', '4000000', '100000', '0', '0', '1', '1', '0', '0', '0', '0', '18000000000000000', '2026-11-20 13:00:00+00', '0', '3', '3', '0', '2026-11-20 13:00:00+00', '0', '0', 'repaid', '2026-11-20 12:00:00+00', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-20 12:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:28.640342+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'bor_01m8hd196se4evm6prthqvvrq0', 'APPROVED', '4800000', '100000', '1136332', '0', '2', '2', '0', '0', '0', '0', '57600000000000000', '2026-11-20 13:02:00+00', '1624222', '3', '3', '1624222', '2026-11-20 13:02:00+00', '0', '0', NULL, '2026-11-20 13:00:00+00', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-20 13:00:00+00', NULL, '2026-11-28 15:40:34.059481+00');

INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents, destination, reference, payout_sent_at, requested_at, completed_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'drw_01m8hd15ghe4evm6msk4pvvcyd', 'fac_01m8hd14nye4evm6mf008d9c18', 'COMPLETED', 'USD', '50000', '50000', 'account-4711', 'paid-drw_01m8hd15ghe4evm6msk4pvvcyd', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', '2026-11-28 15:40:25.748907+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'drw_01m8hd19yxe4evm6rqn0gcjrga', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'COMPLETED', 'USD', '4800000', '4800000', 'account-4711', 'paid-drw_01m8hd19yxe4evm6rqn0gcjrga', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:29.934891+00');

INSERT INTO failure_notices (tenant_id, notice_id, person_id, webhook_id, failed_attempts, dead_letters, is_disabled, first_at, last_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '01890a5d-ac96-774b-bcce-b302099a8057', 'per_1', 'whk_01m8hd142ce4evm6jz69n6n7mr', '6', '1', 'false', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00');

INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, recorded_at, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '01890a5d-ac96-774b-bcce-b302099a8057', E'\\xabababababababababababababababababababababababababababababababab', '201', '{"id":"fac_01m8hd19kwe4evm6r0v0hjx7we"}', '2026-11-20 12:00:00+00', '2026-11-28 15:40:37.623203+00');

INSERT INTO journal_entries (tenant_id, facility_id, entry_id) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'draw/drw_01m8hd15ghe4evm6msk4pvvcyd'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'interest/repayment/rep_01m8hd17mqe4evm6nmrck5zhxx'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'refund/rfd_01m8hd17zge4evm6nvxcec1axt'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'repayment/rep_01m8hd17mqe4evm6nmrck5zhxx'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'draw/drw_01m8hd19yxe4evm6rqn0gcjrga'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'interest/sale/1/1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'sale/1/1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'sale/1/1/applied');

INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, value_at, booked_at, written_at, month) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'draw/drw_01m8hd15ghe4evm6msk4pvvcyd', 'draw', '{loans_receivable,bank}', '{USD,USD}', '{50000,-50000}', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', '2026-11-28 15:40:25.748907+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'interest/repayment/rep_01m8hd17mqe4evm6nmrck5zhxx', 'interest', '{interest_receivable,interest_income}', '{USD,USD}', '{1,-1}', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:27.363744+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'refund/rfd_01m8hd17zge4evm6nvxcec1axt', 'refund', '{refunds_payable,bank}', '{USD,USD}', '{9999,-9999}', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:28.34165+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'repayment/rep_01m8hd17mqe4evm6nmrck5zhxx', 'repayment', '{bank,interest_receivable,loans_receivable,refunds_payable}', '{USD,USD,USD,USD}', '{60000,-1,-50000,-9999}', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:27.363744+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'draw/drw_01m8hd19yxe4evm6rqn0gcjrga', 'draw', '{loans_receivable,bank}', '{USD,USD}', '{4800000,-4800000}', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:29.934891+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'interest/sale/1/1', 'interest', '{interest_receivable,interest_income}', '{USD,USD}', '{2,-2}', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.094491+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'sale/1/1', 'sale', '{bank,sale_costs,collateral_proceeds}', '{USD,USD,USD}', '{3663670,37007,-3700677}', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.094491+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'sale/1/1/applied', 'proceeds', '{collateral_proceeds,sale_costs,interest_receivable,loans_receivable}', '{USD,USD,USD,USD}', '{3700677,-37007,-2,-3663668}', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.094491+00', '2026-11-01');

INSERT INTO ltv_rounds (tenant_id, hour) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '2026-11-20 12:00:00+00');

INSERT INTO margin_evaluations (tenant_id, evaluation_id, facts, month) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '296527e7-5618-419d-9cc1-dcc2acccdbb2', '{"policy": {"tiers": [{"tier": 1, "windowMs": 172800000, "aboveLtvPpm": {"$int": "700000"}}, {"tier": 2, "windowMs": 43200000, "aboveLtvPpm": {"$int": "750000"}}, {"tier": 3, "windowMs": 7200000, "aboveLtvPpm": {"$int": "800000"}}], "holdMs": {"USD": 86400000, "USDC": 3600000}, "staleMs": 300000, "version": "2026-11", "haircuts": {"BTC": {"$int": "30000"}, "ETH": {"$int": "50000"}, "USD": {"$int": "0"}, "USDC": {"$int": "10000"}}, "outageMs": 60000, "confirmMs": 60000, "deficitMs": 86400000, "dustCents": {"$int": "100000"}, "flickerMs": 600000, "recheckMs": 3600000, "relapseMs": 86400000, "silenceMs": 60000, "cureLtvPpm": {"$int": "600000"}, "deepLtvPpm": {"$int": "950000"}, "leastCents": {"$int": "1000"}, "pushHoldMs": 3600000, "saleFeePpm": {"$int": "20000"}, "cureSlackMs": 86400000, "floorLtvPpm": {"$int": "700000"}, "noticeLtvPpm": [{"$int": "600000"}, {"$int": "650000"}], "targetLtvPpm": {"$int": "550000"}, "criticalLtvPpm": {"$int": "830000"}, "relapseLeastMs": 7200000, "longestWindowMs": 600000}, "rounds": [[{"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USD", "price": {"$int": "100000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "BTC", "price": {"$int": "5900000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "ETH", "price": {"$int": "400000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USDC", "price": {"$int": "100000000"}, "sources": []}], [{"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USD", "price": {"$int": "100000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "BTC", "price": {"$int": "5900000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "ETH", "price": {"$int": "400000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USDC", "price": {"$int": "100000000"}, "sources": []}]]}', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'b45fac4c-5051-4f48-ba8d-74ae1f771b15', '{"policy": {"tiers": [{"tier": 1, "windowMs": 172800000, "aboveLtvPpm": {"$int": "700000"}}, {"tier": 2, "windowMs": 43200000, "aboveLtvPpm": {"$int": "750000"}}, {"tier": 3, "windowMs": 7200000, "aboveLtvPpm": {"$int": "800000"}}], "holdMs": {"USD": 86400000, "USDC": 3600000}, "staleMs": 300000, "version": "2026-11", "haircuts": {"BTC": {"$int": "30000"}, "ETH": {"$int": "50000"}, "USD": {"$int": "0"}, "USDC": {"$int": "10000"}}, "outageMs": 60000, "confirmMs": 60000, "deficitMs": 86400000, "dustCents": {"$int": "100000"}, "flickerMs": 600000, "recheckMs": 3600000, "relapseMs": 86400000, "silenceMs": 60000, "cureLtvPpm": {"$int": "600000"}, "deepLtvPpm": {"$int": "950000"}, "leastCents": {"$int": "1000"}, "pushHoldMs": 3600000, "saleFeePpm": {"$int": "20000"}, "cureSlackMs": 86400000, "floorLtvPpm": {"$int": "700000"}, "noticeLtvPpm": [{"$int": "600000"}, {"$int": "650000"}], "targetLtvPpm": {"$int": "550000"}, "criticalLtvPpm": {"$int": "830000"}, "relapseLeastMs": 7200000, "longestWindowMs": 600000}, "rounds": [[{"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "USD", "price": {"$int": "100000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "BTC", "price": {"$int": "6800000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "ETH", "price": {"$int": "400000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "USDC", "price": {"$int": "100000000"}, "sources": []}], [{"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "USD", "price": {"$int": "100000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "BTC", "price": {"$int": "6800000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "ETH", "price": {"$int": "400000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:01:00.000Z"}, "asset": "USDC", "price": {"$int": "100000000"}, "sources": []}]]}', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'c2b19f7f-c1d6-4d9d-b924-fb0b66a959ef', '{"policy": {"tiers": [{"tier": 1, "windowMs": 172800000, "aboveLtvPpm": {"$int": "700000"}}, {"tier": 2, "windowMs": 43200000, "aboveLtvPpm": {"$int": "750000"}}, {"tier": 3, "windowMs": 7200000, "aboveLtvPpm": {"$int": "800000"}}], "holdMs": {"USD": 86400000, "USDC": 3600000}, "staleMs": 300000, "version": "2026-11", "haircuts": {"BTC": {"$int": "30000"}, "ETH": {"$int": "50000"}, "USD": {"$int": "0"}, "USDC": {"$int": "10000"}}, "outageMs": 60000, "confirmMs": 60000, "deficitMs": 86400000, "dustCents": {"$int": "100000"}, "flickerMs": 600000, "recheckMs": 3600000, "relapseMs": 86400000, "silenceMs": 60000, "cureLtvPpm": {"$int": "600000"}, "deepLtvPpm": {"$int": "950000"}, "leastCents": {"$int": "1000"}, "pushHoldMs": 3600000, "saleFeePpm": {"$int": "20000"}, "cureSlackMs": 86400000, "floorLtvPpm": {"$int": "700000"}, "noticeLtvPpm": [{"$int": "600000"}, {"$int": "650000"}], "targetLtvPpm": {"$int": "550000"}, "criticalLtvPpm": {"$int": "830000"}, "relapseLeastMs": 7200000, "longestWindowMs": 600000}, "rounds": [[{"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USD", "price": {"$int": "100000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "BTC", "price": {"$int": "5900000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "ETH", "price": {"$int": "400000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USDC", "price": {"$int": "100000000"}, "sources": []}], [{"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USD", "price": {"$int": "100000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "BTC", "price": {"$int": "5900000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "ETH", "price": {"$int": "400000000000"}, "sources": []}, {"at": {"$time": "2026-11-20T13:02:00.000Z"}, "asset": "USDC", "price": {"$int": "100000000"}, "sources": []}]]}', '2026-11-01');

INSERT INTO margin_warnings (tenant_id, facility_id, number, tier, status, raised_at, ltv_at_raise, cure_deadline, window_deadline, extended_seconds, outages_until, upheld, escalated_at, cure_amount_cents, cure_collateral_cents, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '3', 'ESCALATED', '2026-11-20 13:01:00+00', '0.727714', '2026-11-20 13:02:00+00', '2026-11-20 15:02:00+00', '0', '2026-11-20 13:01:00+00', 'true', '2026-11-20 13:02:00+00', '1367517', '2279195', '2026-11-28 15:40:31.932034+00');

INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status, planned, target_ltv_ppm, outcome, costs_cents, interest_cents, principal_cents, surplus_cents, deficit_cents, created_at, started_at, completed_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '1', 'COMPLETED', '[{"asset": "BTC", "units": "62723339"}]', '550000', 'partial', '37007', '2', '3663668', '0', '0', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.420985+00');

INSERT INTO margin_decisions (tenant_id, facility_id, warning_number, number, kind, decided_at, facts, evaluation_id, written_at, month) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '1', 'raise', '2026-11-20 13:01:00+00', '{"ladder": {"now": {"$time": "2026-11-20T13:01:00.000Z"}, "debt": {"ratePpm": {"$int": "100000"}, "accruedAt": {"$time": "2026-11-20T13:00:00.000Z"}, "principalCents": {"$int": "4800000"}, "interestNumerator": {"$int": "0"}, "interestPaidCents": {"$int": "0"}, "interestBookedCents": {"$int": "0"}}, "push": {"isNew": false, "receivedAt": {"$time": "2026-11-20T13:00:00.000Z"}}, "values": {"lowCents": {"$int": "6596000"}, "highCents": {"$int": "6596000"}, "latestCents": {"$int": "6596000"}}, "trigger": "price", "reported": [], "hasLiveCall": false, "hasSellableValue": true}, "decision": {"kind": "raise", "tier": 1, "cureDeadline": {"$time": "2026-11-22T13:01:00.000Z"}}, "positions": [{"asset": "BTC", "units": {"$int": "100000000"}, "haircutPpm": {"$int": "30000"}, "valueCents": {"$int": "6596000"}}]}', 'b45fac4c-5051-4f48-ba8d-74ae1f771b15', '2026-11-28 15:40:30.363591+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '2', 'worsen', '2026-11-20 13:02:00+00', '{"ladder": {"now": {"$time": "2026-11-20T13:02:00.000Z"}, "debt": {"ratePpm": {"$int": "100000"}, "accruedAt": {"$time": "2026-11-20T13:00:00.000Z"}, "principalCents": {"$int": "4800000"}, "interestNumerator": {"$int": "0"}, "interestPaidCents": {"$int": "0"}, "interestBookedCents": {"$int": "0"}}, "push": {"isNew": false, "answeredAt": {"$time": "2026-11-20T13:01:00.000Z"}, "receivedAt": {"$time": "2026-11-20T13:00:00.000Z"}}, "values": {"lowCents": {"$int": "5723000"}, "highCents": {"$int": "5723000"}, "latestCents": {"$int": "5723000"}}, "trigger": "price", "warning": {"tier": 1, "number": 1, "upheld": true, "raisedAt": {"$time": "2026-11-20T13:01:00.000Z"}, "ltvAtRaise": "0.727714", "cureDeadline": {"$time": "2026-11-22T13:01:00.000Z"}, "outagesUntil": {"$time": "2026-11-20T13:01:00.000Z"}, "windowDeadline": {"$time": "2026-11-22T13:01:00.000Z"}, "extendedSeconds": 0}, "reported": [], "hasLiveCall": false, "hasSellableValue": true}, "decision": {"kind": "worsen", "tier": 3, "cureDeadline": {"$time": "2026-11-20T13:02:00.000Z"}}, "positions": [{"asset": "BTC", "units": {"$int": "100000000"}, "haircutPpm": {"$int": "30000"}, "valueCents": {"$int": "5723000"}}]}', '296527e7-5618-419d-9cc1-dcc2acccdbb2', '2026-11-28 15:40:31.279045+00', '2026-11-01'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '3', 'escalate', '2026-11-20 13:02:00+00', '{"ladder": {"now": {"$time": "2026-11-20T13:02:00.000Z"}, "debt": {"ratePpm": {"$int": "100000"}, "accruedAt": {"$time": "2026-11-20T13:00:00.000Z"}, "principalCents": {"$int": "4800000"}, "interestNumerator": {"$int": "0"}, "interestPaidCents": {"$int": "0"}, "interestBookedCents": {"$int": "0"}}, "push": {"isNew": false, "answeredAt": {"$time": "2026-11-20T13:02:00.000Z"}, "receivedAt": {"$time": "2026-11-20T13:00:00.000Z"}}, "values": {"lowCents": {"$int": "5723000"}, "highCents": {"$int": "5723000"}, "latestCents": {"$int": "5723000"}}, "trigger": "price", "warning": {"tier": 3, "number": 1, "upheld": true, "raisedAt": {"$time": "2026-11-20T13:01:00.000Z"}, "ltvAtRaise": "0.727714", "cureDeadline": {"$time": "2026-11-20T13:02:00.000Z"}, "outagesUntil": {"$time": "2026-11-20T13:01:00.000Z"}, "windowDeadline": {"$time": "2026-11-20T15:02:00.000Z"}, "extendedSeconds": 0}, "reported": [], "hasLiveCall": false, "hasSellableValue": true}, "decision": {"kind": "escalate", "reason": "critical"}, "positions": [{"asset": "BTC", "units": {"$int": "100000000"}, "haircutPpm": {"$int": "30000"}, "valueCents": {"$int": "5723000"}}], "isConfirmed": true}', 'c2b19f7f-c1d6-4d9d-b924-fb0b66a959ef', '2026-11-28 15:40:31.932034+00', '2026-11-01');

INSERT INTO margin_sales (tenant_id, facility_id, call_number, number, asset, ordered_units, in_kind, status, filled_units, proceeds_cents, costs_cents, ordered_at, executed_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '1', 'BTC', '62723339', 'false', 'FILLED', '62723339', '3700677', '37007', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', '2026-11-28 15:40:33.094491+00');

INSERT INTO portfolio_sources (tenant_id, mode, set_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'push', '2026-11-20 12:00:00+00');

INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at, is_new, changed_at, confirmed, confirmed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd143ge4evm6k2s5kh77nt', '1795176000000000', E'\\x9bbfa0c595c35ca52a247cdf5d78557f4ff3ed9233773061589b27fdf5f0599a', '{"BTC": "100000000"}', '2026-11-20 12:00:00+00', 'false', '2026-11-20 12:00:00+00', NULL, NULL),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd196se4evm6prthqvvrq0', '1795179600000000', E'\\x9bbfa0c595c35ca52a247cdf5d78557f4ff3ed9233773061589b27fdf5f0599a', '{"BTC": "100000000"}', '2026-11-20 13:00:00+00', 'false', '2026-11-20 13:00:00+00', '{"BTC": "100000000"}', '2026-11-20 13:02:00+00');

INSERT INTO position_inquiries (tenant_id, facility_id, purpose, number, basis) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'escalation', '1', 'warning 1'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'push', '1', '2026-11-20T13:01:00.000Z, 0 of 0 settled'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'sale', '2', 'call 1: 1 of 1 settled');

INSERT INTO principal_movements (tenant_id, facility_id, source_id, part, effective_at, delta_cents, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'drw_01m8hd15ghe4evm6msk4pvvcyd', '1', '2026-11-20 12:00:00+00', '50000', '2026-11-28 15:40:25.748907+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'rep_01m8hd17mqe4evm6nmrck5zhxx', '1', '2026-11-20 13:00:00+00', '-50000', '2026-11-28 15:40:27.363744+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'drw_01m8hd19yxe4evm6rqn0gcjrga', '1', '2026-11-20 13:00:00+00', '4800000', '2026-11-28 15:40:29.934891+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'sale/1/1', '1', '2026-11-20 13:02:00+00', '-3663668', '2026-11-28 15:40:33.094491+00');

INSERT INTO provider_callbacks (tenant_id, provider, callback_id, received_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'payments', 'cb_1', '2026-11-20 12:00:00+00');

INSERT INTO recovery_paces (tenant_id, host, next_at, forget_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'example.com', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00');

INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, status, asset, amount_units, cents, destination, refusals, ordered, reference, created_at, paid_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'rfd_01m8hd17zge4evm6nvxcec1axt', 'fac_01m8hd14nye4evm6mf008d9c18', 'rep_01m8hd17mqe4evm6nmrck5zhxx', 'PAID', 'USD', '9999', '9999', 'account-4711', '0', '0', 'paid-rfd_01m8hd17zge4evm6nvxcec1axt/0', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-28 15:40:28.34165+00');

INSERT INTO refund_redirects (tenant_id, refund_id, number, from_destination, to_destination, refusals, reason, redirected_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'rfd_01m8hd17zge4evm6nvxcec1axt', '1', 'bank-a', 'bank-b', '1', 'closed account', '2026-11-20 12:00:00+00');

INSERT INTO repayments (tenant_id, repayment_id, facility_id, inferred, status, asset, amount_units, delivered_units, reference, confirmed_asset, confirmed_units, interest_cents, principal_cents, refund_cents, suspended_units, is_recovery, requested_at, reported_at, applied_at, value_at, inquiry, hold_lost_ms, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'rep_01m8hd17mqe4evm6nmrck5zhxx', 'fac_01m8hd14nye4evm6mf008d9c18', 'false', 'APPLIED', 'USD', '60000', '60000', '22318bd2-f325-41a2-866b-37d121f8e10e', 'USD', '60000', '1', '50000', '9999', '0', 'false', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00', '1', '0', '2026-11-28 15:40:27.363744+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'rep_01m8hd1ebae4evm6v2gvv18t5s', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'false', 'REPORTED', 'USD', '500', '500', '77fc797c-4fe8-4de0-aa05-1464de4d5eea', NULL, NULL, NULL, NULL, NULL, '0', 'false', '2026-11-20 13:02:00+00', '2026-11-20 13:02:00+00', NULL, NULL, '1', '0', '2026-11-28 15:40:34.059481+00');

INSERT INTO confirmed_transfers (tenant_id, transfer_id, repayment_id, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'transfer-ten_01m8hd13vxe4evm6jmy5hvbqs3-22318bd2-f325-41a2-866b-37d121f8e10e', 'rep_01m8hd17mqe4evm6nmrck5zhxx', '2026-11-28 15:40:27.363744+00');

INSERT INTO repayment_references (tenant_id, reference, repayment_id, folded) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '22318bd2-f325-41a2-866b-37d121f8e10e', 'rep_01m8hd17mqe4evm6nmrck5zhxx', '22318BD2-F325-41A2-866B-37D121F8E10E'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '77fc797c-4fe8-4de0-aa05-1464de4d5eea', 'rep_01m8hd1ebae4evm6v2gvv18t5s', '77FC797C-4FE8-4DE0-AA05-1464DE4D5EEA');

INSERT INTO sandbox_calls (tenant_id, call_id, outcome, ready_at, called_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'call_1', 'succeed', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00');

INSERT INTO sandbox_holdings (tenant_id, borrower_id, positions, late_seconds, set_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd143ge4evm6k2s5kh77nt', '{"BTC": "100000000"}', '5', '2026-11-20 12:00:00+00');

INSERT INTO sandbox_liens (tenant_id, facility_id, sequence) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1');

INSERT INTO sandbox_price_history (tenant_id, asset, set_at, price) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'BTC', '2026-11-20 12:00:00+00', '10000000000000');

INSERT INTO sandbox_providers (tenant_id, provider, next) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'payments', 'succeed');

INSERT INTO signatures (tenant_id, signature_id, borrower_id, number, full_name, email, ip_address, signed_at, contract_type, contract_version, recorded_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'sig_01m8hd146ke4evm6kdjzqc4ae6', 'bor_01m8hd143ge4evm6k2s5kh77nt', '1', 'Ada Lovelace', 'ada@example.com', '203.0.113.9', '2026-11-20 12:00:00+00', 'master_loan_agreement', '2026-01', '2026-11-20 12:00:00+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'sig_01m8hd198te4evm6q7bm4vpzvm', 'bor_01m8hd196se4evm6prthqvvrq0', '1', 'Ada Lovelace', 'ada@example.com', '203.0.113.9', '2026-11-20 13:00:00+00', 'master_loan_agreement', '2026-01', '2026-11-20 13:00:00+00');

INSERT INTO compliance_checks (tenant_id, check_id, borrower_id, kind, signature_id, subject, status, created_at, decided_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'chk_01m8hd149ke4evm6khd77gdaws', 'bor_01m8hd143ge4evm6k2s5kh77nt', 'kyc', 'sig_01m8hd146ke4evm6kdjzqc4ae6', 'borrower', 'passed', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'chk_01m8hd14a9e4evm6ktq93fed9f', 'bor_01m8hd143ge4evm6k2s5kh77nt', 'aml', 'sig_01m8hd146ke4evm6kdjzqc4ae6', 'ada lovelace', 'passed', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'chk_01m8hd19a7e4evm6q9wksm6j5b', 'bor_01m8hd196se4evm6prthqvvrq0', 'kyc', 'sig_01m8hd198te4evm6q7bm4vpzvm', 'borrower', 'passed', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'chk_01m8hd19b7e4evm6qkfg84w9m4', 'bor_01m8hd196se4evm6prthqvvrq0', 'aml', 'sig_01m8hd198te4evm6q7bm4vpzvm', 'ada lovelace', 'passed', '2026-11-20 13:00:00+00', '2026-11-20 13:00:00+00');

INSERT INTO signing_secrets (tenant_id, secret_id, sealed, created_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'sec_1', 'k1.sealed', '2026-11-20 12:00:00+00', '2026-11-28 15:40:37.599286+00');

INSERT INTO tenant_counters (tenant_id, last_sequence, last_hash, last_recorded_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '18', E'\\x057c0b44c255700658713bf3f5e90b8cc1ea207a5ce1545c26444caa8ea4cd58', '2026-11-28 15:40:33.904+00'),
  ('ten_01m8hd1eqhe4evm6vf89nkdbsz', '5', E'\\xabababababababababababababababababababababababababababababababab', '2026-11-20 12:00:00+00');

INSERT INTO transfer_claims (transfer_id, tenant_id, repayment_id) VALUES
  ('transfer-ten_01m8hd13vxe4evm6jmy5hvbqs3-22318bd2-f325-41a2-866b-37d121f8e10e', 'ten_01m8hd13vxe4evm6jmy5hvbqs3', 'rep_01m8hd17mqe4evm6nmrck5zhxx');

INSERT INTO webhooks (tenant_id, webhook_id, url, event_types, state, registered_sequence, created_at, changed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', 'https://example.com/hook', '{facility.closed,draw.completed}', 'active', '0', '2026-11-28 15:40:23.48+00', '2026-11-28 15:40:23.48814+00');

INSERT INTO lanes (tenant_id, webhook_id, seen, failures, in_flight) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', '18', '0', '{}');

INSERT INTO webhook_recoveries (tenant_id, webhook_id, since, phase, first_sequence, after_sequence, until_sequence, requested_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'whk_01m8hd142ce4evm6jz69n6n7mr', '2026-11-20 12:00:00+00', 'dead_lettered', '1', '1', '9', '2026-11-20 12:00:00+00');

INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, ready, generation, attempts, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'accrue-interest', 'ten_01m8hd13vxe4evm6jmy5hvbqs3', 'tenant', '2', '2026-12-01 00:00:00+00', 'false', '1', '0', '2026-11-28 15:40:25.748907+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'confirm-repayment', 'rep_01m8hd1ebae4evm6v2gvv18t5s', 'real', '4', '2026-11-20 13:02:05+00', 'false', '1', '0', '2026-11-28 15:40:34.059481+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evaluate-borrower', 'bor_01m8hd143ge4evm6k2s5kh77nt', 'real', '5', '2026-11-20 12:00:00+00', 'true', '2', '0', '2026-11-28 15:40:23.532482+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evaluate-borrower', 'bor_01m8hd196se4evm6prthqvvrq0', 'real', '5', '2026-11-20 13:00:00+00', 'true', '2', '0', '2026-11-28 15:40:28.760073+00'),
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'refresh-floor', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'tenant', '2', '2026-11-21 13:02:00+00', 'false', '3', '0', '2026-11-28 15:40:29.704315+00');

INSERT INTO worker_heartbeat (only_row, beaten_at) VALUES
  ('true', '2026-11-20 12:00:00+00');

INSERT INTO unbound_records (tenant_id, facility_id, record) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd14nye4evm6mf008d9c18', 'journal accrual/2026-11 abababababababababababababababababababababababababababababababab');
