// Written by npm run openapi from openapi.json.

export interface paths {
    "/console/api/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who did what in the console, newest first */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries to all webhooks with their last attempt, newest event first */
        get: operations["listTenantDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/draws/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find the facility of a draw */
        get: operations["locateDraw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tenant's events, newest first */
        get: operations["listNewestEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/facilities/{id}/ltv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the loan-to-value of a facility over time, oldest first */
        get: operations["readLtvHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys of the tenant, revoked ones included */
        get: operations["listKeys"];
        put?: never;
        /** Register a public key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a key for good, within 5 seconds */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/keys/{id}/revoke/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to revoke a key: what a passkey is to confirm */
        post: operations["startKeyRevocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read which mails you get */
        get: operations["getNotifications"];
        /** Choose which mails you get */
        put: operations["setNotifications"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your passkeys */
        get: operations["listPasskeys"];
        put?: never;
        /** Add a passkey */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove one of your passkeys */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/passkeys/confirmation/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to confirm, by a passkey that you have, that another is added */
        post: operations["startPasskeyConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to add a passkey */
        post: operations["startPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who may use the console */
        get: operations["listPeople"];
        put?: never;
        /** Invite a person */
        post: operations["invitePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a person; their sessions end at once */
        delete: operations["removePerson"];
        options?: never;
        head?: never;
        /** Change the role of a person */
        patch: operations["changePerson"];
        trace?: never;
    };
    "/console/api/people/{id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite a person again; opening it ends their sessions and removes their passkeys */
        post: operations["invitePersonAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/people/confirmation/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to confirm an invitation by a passkey of your own */
        post: operations["startInvitationConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/repayments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find the facility of a repayment */
        get: operations["locateRepayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tenant's requests of the last days, newest first */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one request, with the answer of a refusal */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sandbox/prices/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how a price of the tenant's sandbox was set, oldest first */
        get: operations["listPriceChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is signed in */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /** Sign out */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in by an invitation, or by the link of a local stack */
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in by a passkey */
        post: operations["signInByPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in by a passkey */
        post: operations["startPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out everywhere */
        delete: operations["signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how people can sign in here */
        get: operations["getSignInWays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the tenant's event log, from Last-Event-ID on */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "id": "act_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "at": "2026-11-22T12:00:00.000Z",
         *       "person": {
         *         "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *         "name": "Ada Example",
         *         "email": "ada@example.com"
         *       },
         *       "action": "revokeKey",
         *       "subject_id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "request_id": "req_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "before": null,
         *       "after": null
         *     }
         */
        Action: {
            /** @description The name of the operation */
            action: string;
            after: {
                [key: string]: unknown;
            } | null;
            at: components["schemas"]["Timestamp"];
            before: {
                [key: string]: unknown;
            } | null;
            id: string;
            /** @description Null where the operator acted */
            person: {
                email: string;
                id: string;
                name: string;
            } | null;
            request_id: string | null;
            /** @description What it is about */
            subject_id: string | null;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "act_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "at": "2026-11-22T12:00:00.000Z",
         *           "person": {
         *             "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *             "name": "Ada Example",
         *             "email": "ada@example.com"
         *           },
         *           "action": "revokeKey",
         *           "subject_id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "request_id": "req_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "before": null,
         *           "after": null
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        ActionPage: {
            has_more: boolean;
            items: components["schemas"]["Action"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "type": "https://api.example.com/errors/not_found",
         *       "title": "Not Found",
         *       "status": 404,
         *       "code": "not_found",
         *       "detail": "There is no such borrower.",
         *       "request_id": "req_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *     }
         */
        ConsoleProblem: {
            /** @enum {string} */
            code: "malformed_request" | "invalid_json" | "idempotency_key_missing" | "idempotency_key_invalid" | "cursor_invalid" | "signature_missing" | "signature_malformed" | "timestamp_out_of_range" | "signature_invalid" | "scope_missing" | "tenant_suspended" | "not_found" | "sandbox_only" | "method_not_allowed" | "request_timeout" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "headers_too_large" | "idempotency_in_progress" | "secret_not_retrievable" | "webhook_disabled" | "delivery_in_progress" | "recovery_in_progress" | "clock_advancing" | "limit_reached" | "facility_not_approved" | "facility_exists" | "borrower_not_eligible" | "draws_blocked" | "outstanding_balance" | "margin_warning_not_open" | "execution_already_reported" | "duplicate_reference" | "as_of_conflict" | "cursor_expired" | "validation_failed" | "idempotency_key_reused" | "contract_version_unknown" | "unsupported_asset" | "credit_limit_exceeded" | "url_not_allowed" | "as_of_in_future" | "residency_not_supported" | "rate_limited" | "internal" | "unavailable" | "price_unavailable" | "tenant_moving" | "session_required" | "link_invalid" | "cross_origin" | "passkey_required" | "passkey_invalid" | "already_exists" | "last_admin" | "oidc_refused";
            detail: string;
            errors?: {
                /**
                 * @description - `required`: The member is missing.
                 *     - `unknown_member`: The operation has no member or parameter of this name.
                 *     - `not_allowed`: The member exists, but must be left out here.
                 *     - `wrong_type`: The value has another JSON type than expected.
                 *     - `wrong_format`: The text does not have the expected form.
                 *     - `unknown_value`: The value is not one of those allowed.
                 *     - `too_short`: The text or list has too few characters or items.
                 *     - `too_long`: The text or list has too many characters or items.
                 *     - `out_of_range`: The number or amount is too small or too large.
                 *     - `too_precise`: The decimal has more digits after the point than the asset has.
                 *     - `forbidden_character`: The text has a character that is refused, such as a control character.
                 *     - `duplicate`: The value is repeated.
                 *     - `mismatch`: The value contradicts what is stored, or another member.
                 *     - `in_future`: The time is in the future.
                 * @enum {string}
                 */
                code: "required" | "unknown_member" | "not_allowed" | "wrong_type" | "wrong_format" | "unknown_value" | "too_short" | "too_long" | "out_of_range" | "too_precise" | "forbidden_character" | "duplicate" | "mismatch" | "in_future";
                /** @description What is expected, with an example, for people */
                detail: string;
                /** @description JSON pointer into the body, or ?name for a query parameter */
                pointer: string;
            }[];
            request_id: string;
            status: number;
            title: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "event_id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "event_type": "borrower.eligible",
         *       "state": "delivered",
         *       "attempts": [
         *         {
         *           "number": 1,
         *           "at": "2026-11-20T12:00:05.020Z",
         *           "status": 204,
         *           "duration_ms": 31,
         *           "response_excerpt": "",
         *           "requested": false
         *         }
         *       ]
         *     }
         */
        Delivery: {
            /** @description The newest 20, newest first */
            attempts: {
                at: components["schemas"]["Timestamp"];
                duration_ms: number;
                /** @description Why there was no answer; either `status` or `error` is present */
                error?: string;
                number: number;
                /** @description Requested by you, outside the retry schedule */
                requested: boolean;
                /** @description First 1 KiB of the answer */
                response_excerpt: string;
                /** @description HTTP status of the answer */
                status?: number;
            }[];
            event_id: string;
            event_type: string;
            next_attempt_at?: components["schemas"]["Timestamp"];
            /** @enum {string} */
            state: "pending" | "delivered" | "dead_lettered" | "cancelled";
            webhook_id: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "event_id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "event_type": "borrower.eligible",
         *           "state": "delivered",
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "at": "2026-11-20T12:00:05.020Z",
         *               "status": 204,
         *               "duration_ms": 31,
         *               "response_excerpt": "",
         *               "requested": false
         *             }
         *           ]
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        DeliveryPage: {
            has_more: boolean;
            items: components["schemas"]["Delivery"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /** @enum {string} */
        EventType: "borrower.eligible" | "facility.decisioned" | "draw.completed" | "draw.failed" | "repayment.applied" | "repayment.failed" | "facility.floor_updated" | "margin_warning.raised" | "margin_warning.cured" | "margin_warning.escalated" | "margin_call.started" | "margin_call.completed" | "facility.closed" | "margin_notice.approaching" | "webhook.failing" | "webhook.disabled";
        Invited: {
            /** @description Opens once, within 24 hours; shown only now */
            invitation_url: string;
            person: components["schemas"]["Person"];
        };
        /**
         * @example {
         *       "id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "name": "order desk",
         *       "fingerprint": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "state": "active",
         *       "scopes": [
         *         "facility:read"
         *       ],
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "expires_at": null,
         *       "last_used_at": null,
         *       "revoked_at": null
         *     }
         */
        Key: {
            created_at: components["schemas"]["Timestamp"];
            expires_at: components["schemas"]["Timestamp"] | null;
            /** @description SHA-256 of the 32 bytes of the public key, in hex */
            fingerprint: string;
            id: string;
            /** @description To the minute */
            last_used_at: components["schemas"]["Timestamp"] | null;
            name: string;
            revoked_at: components["schemas"]["Timestamp"] | null;
            scopes: ("webhook:write" | "webhook:read" | "borrower:write" | "borrower:read" | "facility:read" | "facility:write" | "repayment:write" | "portfolio:write")[];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
        };
        KeyList: {
            items: components["schemas"]["Key"][];
        };
        ListedPerson: {
            created_at: components["schemas"]["Timestamp"];
            email: string;
            id: string;
            /** @description In a session that has not been signed out */
            last_seen_at: components["schemas"]["Timestamp"] | null;
            name: string;
            passkeys: number;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin";
        };
        /**
         * @example {
         *       "interval": "hour",
         *       "items": [
         *         {
         *           "at": "2026-11-22T12:00:00.000Z",
         *           "ltv": "0.482000",
         *           "debt_usd": "48200.00",
         *           "collateral_usd": "100000.00"
         *         }
         *       ]
         *     }
         */
        LtvHistory: {
            /** @enum {string} */
            interval: "hour" | "day";
            items: {
                /** @description By the tenant's clock */
                at: components["schemas"]["Timestamp"];
                collateral_usd: string;
                debt_usd: string;
                ltv: string;
            }[];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "type": "borrower.eligible",
         *           "occurred_at": "2026-11-20T12:00:05.000Z",
         *           "resource_version": 1,
         *           "resource": {
         *             "type": "borrower",
         *             "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "sequence": 7,
         *           "data": {
         *             "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "previous_hash": "3d5b8c1f0a7e4296b1d83c5f9e0472a6c8b1e5d70f936a24d8c7e1b05f6a9342",
         *           "hash": "a94f2e7c61d80b35f7c92ae4160d8b53c7e1f9a2046b8d3517ce9fa2d0b46e81"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        NewestEventPage: {
            has_more: boolean;
            items: {
                /** @description Depends on `type` */
                data: {
                    [key: string]: unknown;
                };
                /** @description SHA-256 of `previous_hash`, `sequence` (8 bytes, big endian) and the SHA-256 of the body */
                hash: string;
                /** @description The same on every attempt and webhook: use it to drop duplicates */
                id: string;
                /** @description When it happened, by domain time */
                occurred_at: components["schemas"]["Timestamp"];
                /** @description `hash` of the event before; 64 zeros before the first */
                previous_hash: string;
                /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                records?: string;
                /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                resource: {
                    id: string;
                    type: string;
                };
                /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                resource_version: number;
                /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                sequence: number;
                type: components["schemas"]["EventType"];
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "available": true,
         *       "failure_mails": true
         *     }
         */
        Notifications: {
            /** @description Whether this service can send mails */
            available: boolean;
            /** @description A mail when a webhook fails or is disabled */
            failure_mails: boolean;
        };
        /**
         * @example {
         *       "id": "psk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "name": "Laptop",
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "last_used_at": null
         *     }
         */
        Passkey: {
            created_at: components["schemas"]["Timestamp"];
            id: string;
            last_used_at: components["schemas"]["Timestamp"] | null;
            name: string;
        };
        PasskeyList: {
            items: components["schemas"]["Passkey"][];
        };
        /**
         * @example {
         *       "challenge": "q83vASNFZ4mrze8BNw"
         *     }
         */
        PasskeyOptions: {
            challenge: string;
        } & {
            [key: string]: unknown;
        };
        People: {
            items: components["schemas"]["ListedPerson"][];
        };
        /**
         * @example {
         *       "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "email": "ada@example.com",
         *       "name": "Ada Example",
         *       "role": "developer"
         *     }
         */
        Person: {
            email: string;
            id: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin";
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *     }
         */
        Place: {
            facility_id: string;
        };
        /**
         * @example {
         *       "market_usd": "100000",
         *       "items": [
         *         {
         *           "at": "2026-11-22T12:00:00.000Z",
         *           "price_usd": "70000",
         *           "source": "tenant"
         *         }
         *       ]
         *     }
         */
        PriceChanges: {
            items: {
                /** @description By the tenant's clock */
                at: components["schemas"]["Timestamp"];
                price_usd: string;
                /** @enum {string} */
                source: "tenant" | "market";
            }[];
            /** @description In force before the first change, unless there were more */
            market_usd: string;
        };
        /**
         * @example {
         *       "id": "req_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "received_at": "2026-11-22T12:00:00.000Z",
         *       "via": "api",
         *       "method": "GET",
         *       "route": "/v1/borrowers/:borrower_id",
         *       "path": "/v1/borrowers/bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "status": 404,
         *       "code": "not_found",
         *       "key_id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "person_id": null,
         *       "duration_ms": 3.2,
         *       "idempotency_key": null,
         *       "resource_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *     }
         */
        RequestDetails: {
            /** @description Of a refusal */
            answer?: unknown;
            /** @description Of a refusal */
            code: string | null;
            duration_ms: number;
            id: string;
            idempotency_key: string | null;
            key_id: string | null;
            method: string;
            /** @description Without its query */
            path: string;
            /** @description Who sent it in the console */
            person_id: string | null;
            query?: {
                [key: string]: string;
            };
            received_at: components["schemas"]["Timestamp"];
            resource_id: string | null;
            route: string;
            /** @description The headers beside it */
            sent?: {
                [key: string]: string;
            };
            status: number;
            /** @description Of `signature_invalid`, what was verified */
            string_to_sign?: string;
            /** @enum {string} */
            via: "api" | "console";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "req_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "received_at": "2026-11-22T12:00:00.000Z",
         *           "via": "api",
         *           "method": "GET",
         *           "route": "/v1/borrowers/:borrower_id",
         *           "path": "/v1/borrowers/bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "status": 404,
         *           "code": "not_found",
         *           "key_id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "person_id": null,
         *           "duration_ms": 3.2,
         *           "idempotency_key": null,
         *           "resource_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        RequestPage: {
            has_more: boolean;
            items: {
                /** @description Of a refusal */
                code: string | null;
                duration_ms: number;
                id: string;
                idempotency_key: string | null;
                key_id: string | null;
                method: string;
                /** @description Without its query */
                path: string;
                /** @description Who sent it in the console */
                person_id: string | null;
                received_at: components["schemas"]["Timestamp"];
                resource_id: string | null;
                route: string;
                status: number;
                /** @enum {string} */
                via: "api" | "console";
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "person": {
         *         "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *         "email": "ada@example.com",
         *         "name": "Ada Example",
         *         "role": "developer"
         *       },
         *       "tenant": {
         *         "id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *         "name": "Acme Exchange"
         *       },
         *       "stack": "sandbox",
         *       "local": false,
         *       "scopes": [
         *         "facility:read",
         *         "webhook:read"
         *       ],
         *       "signed_in_by": "passkey",
         *       "passkeys": 1,
         *       "must_add_passkey": false,
         *       "expires_at": "2026-11-28T12:00:00.000Z"
         *     }
         */
        Session: {
            /** @description At the latest; after 12 hours without a request it ends sooner */
            expires_at: components["schemas"]["Timestamp"];
            /** @description The stack that npm start runs on this machine */
            local: boolean;
            /** @description Until a passkey is added, nothing else is allowed */
            must_add_passkey: boolean;
            /** @description How many passkeys the person has */
            passkeys: number;
            person: components["schemas"]["Person"];
            scopes: string[];
            /** @enum {string} */
            signed_in_by: "link" | "invitation" | "passkey" | "oidc";
            /** @enum {string} */
            stack: "live" | "sandbox";
            tenant: {
                id: string;
                name: string;
            };
        };
        /**
         * @example {
         *       "token": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c.Q2hhbmdlIG1lIGJlZm9yZSB5b3Ugc2hpcCBtZSEhISE"
         *     }
         */
        SignInLinkInput: {
            token: string;
        };
        /** Format: date-time */
        Timestamp: string;
        /**
         * @example {
         *       "passkeys": true,
         *       "oidc": null,
         *       "local": false
         *     }
         */
        WaysToSignIn: {
            local: boolean;
            oidc: {
                name: string;
            } | null;
            passkeys: boolean;
        };
    };
    responses: {
        /** @description `malformed_request` */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cursor_invalid`, `malformed_request` */
        "Problem400-cursor_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `idempotency_key_invalid`, `invalid_json`, `malformed_request` */
        "Problem400-idempotency_key_invalid-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `invalid_json`, `malformed_request` */
        "Problem400-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `session_required` */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `link_invalid`, `session_required` */
        "Problem401-link_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cross_origin` */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_invalid` */
        "Problem403-passkey_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_invalid`, `passkey_required`, `scope_missing` */
        "Problem403-passkey_invalid-passkey_required-scope_missing": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_invalid`, `passkey_required`, `scope_missing`, `tenant_suspended` */
        "Problem403-passkey_invalid-passkey_required-scope_missing-tenant_suspended": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_required`, `scope_missing` */
        "Problem403-passkey_required-scope_missing": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_required`, `scope_missing`, `tenant_suspended` */
        "Problem403-passkey_required-scope_missing-tenant_suspended": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `not_found` */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `not_found`, `sandbox_only` */
        "Problem404-sandbox_only": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `request_timeout` */
        Problem408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `already_exists`, `idempotency_in_progress`, `limit_reached` */
        "Problem409-already_exists-idempotency_in_progress-limit_reached": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `already_exists`, `limit_reached` */
        "Problem409-already_exists-limit_reached": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `last_admin` */
        "Problem409-last_admin": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `body_too_large` */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `uri_too_long` */
        Problem414: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `unsupported_media_type` */
        Problem415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `validation_failed` */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `idempotency_key_reused`, `validation_failed` */
        "Problem422-idempotency_key_reused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `rate_limited` */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `headers_too_large` */
        Problem431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `internal` */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
        /** @description `tenant_moving`, `unavailable` */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConsoleProblem"];
            };
        };
    };
    parameters: {
        /**
         * @description `next_cursor` of the previous page; omit it for the first page
         * @example q83vASNFZ4mrze8BNw
         */
        from: string;
        id: string;
        /**
         * @description Items per page, at most 500
         * @example 100
         */
        limit: number;
        /** @example 2026-11-22T00:00:00Z */
        since: string;
        /**
         * @description Excluded
         * @example 2026-11-23T00:00:00Z
         */
        until: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listActions: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTenantDeliveries: {
        parameters: {
            query?: {
                event_type?: components["schemas"]["EventType"];
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                /** @example 2026-11-22T00:00:00Z */
                since?: components["parameters"]["since"];
                state?: "pending" | "delivered" | "dead_lettered" | "cancelled";
                /**
                 * @description Excluded
                 * @example 2026-11-23T00:00:00Z
                 */
                until?: components["parameters"]["until"];
                /** @example whk_01k9x4m2q8e0tb7f2v5j6h8n3c */
                webhook_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    locateDraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Place"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listNewestEvents: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                /** @example fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1 */
                resource_id?: string;
                /** @example 2026-11-22T00:00:00Z */
                since?: components["parameters"]["since"];
                type?: components["schemas"]["EventType"];
                /**
                 * @description Excluded
                 * @example 2026-11-23T00:00:00Z
                 */
                until?: components["parameters"]["until"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewestEventPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    readLtvHistory: {
        parameters: {
            query?: {
                /**
                 * @description By the hour where it lies at most 14 days back, else by the day
                 * @example 2026-11-08T12:00:00Z
                 */
                from?: string;
                /** @example 2026-11-22T12:00:00Z */
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LtvHistory"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at?: string;
                    name: string;
                    /** @description Ed25519, in SPKI PEM */
                    public_key_pem: string;
                    scopes: ("webhook:write" | "webhook:read" | "borrower:write" | "borrower:read" | "facility:read" | "facility:write" | "repayment:write" | "portfolio:write")[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing-tenant_suspended"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-already_exists-idempotency_in_progress-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A passkey, by the options of this key; a local stack needs none without passkeys */
                    response?: {
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        type: "public-key";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing-tenant_suspended"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startKeyRevocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing-tenant_suspended"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "failure_mails": true
                 *     }
                 */
                "application/json": {
                    failure_mails: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By a passkey that the person has; needed unless this is the first */
                    confirmation?: {
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        type: "public-key";
                    } & {
                        [key: string]: unknown;
                    };
                    name: string;
                    response: {
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            attestationObject: string;
                            clientDataJSON: string;
                            transports?: string[];
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        type: "public-key";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-already_exists-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startPasskeyConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPeople: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["People"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    invitePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By a passkey of your own; needed once you have one */
                    confirmation?: {
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        type: "public-key";
                    } & {
                        [key: string]: unknown;
                    };
                    email: string;
                    name: string;
                    /** @enum {string} */
                    role: "viewer" | "developer" | "admin";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invited"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing-tenant_suspended"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-already_exists-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing-tenant_suspended"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-last_admin"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "developer" | "admin";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing-tenant_suspended"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-last_admin"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    invitePersonAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By a passkey of your own; needed once you have one */
                    confirmation?: {
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        type: "public-key";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invited"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing-tenant_suspended"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startInvitationConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing-tenant_suspended"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    locateRepayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Place"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                code?: string;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /** @example key_01k9x4m2q8e0tb7f2v5j6h8n3c */
                key_id?: string;
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description A route, or how the path begins */
                path?: string;
                resource?: string;
                /** @example 2026-11-22T00:00:00Z */
                since?: components["parameters"]["since"];
                status?: string;
                /**
                 * @description Excluded
                 * @example 2026-11-23T00:00:00Z
                 */
                until?: components["parameters"]["until"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestDetails"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPriceChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceChanges"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    signInByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInLinkInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401-link_invalid"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    signInByPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    response: {
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        type: "public-key";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_invalid"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            400: components["responses"]["Problem400"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSignInWays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaysToSignIn"];
                };
            };
            400: components["responses"]["Problem400"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: `event` for each event of the log, with its number as id; `ping`; `skipped` where events were left out and lists must be read again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: ping
                     *     data: {}
                     */
                    "application/json": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
