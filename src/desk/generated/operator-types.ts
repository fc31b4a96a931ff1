// Written by npm run openapi from openapi.json.

export interface paths {
    "/operator/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who did what, newest first */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/actions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one action */
        get: operations["getAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the applications of all tenants that are not decided, and what each waits for */
        get: operations["listApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what waits for a second operator, or what was proposed lately */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a proposal */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Do what another operator has proposed */
        post: operations["confirmApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject what another operator has proposed, or withdraw one's own proposal */
        post: operations["rejectApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show when the invariants were last checked, and what violates them */
        get: operations["getLastAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/audit/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a worker check the invariants, within a minute */
        post: operations["requestAudit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the book: a reading of at most a minute ago */
        get: operations["getBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/book/facilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the facilities that make up a figure of the book, the largest part first */
        get: operations["listBookFacilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/borrowers/blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the blocked borrowers of all tenants, blocked for longest first */
        get: operations["listBlockedBorrowers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/confirmation/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to confirm an act by a passkey of your own */
        post: operations["startConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/encryption-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the encryption keys by id: what each encrypts, and which processes have it */
        get: operations["listEncryptionKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/margin-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the versions of the margin policy and its haircuts */
        get: operations["listMarginPolicyVersions"];
        put?: never;
        /**
         * Propose a version of the margin policy, with what it would change in the book
         * @description What is left out is as in the version before. It takes effect at least 15 minutes after it is confirmed, and after every other version.
         */
        post: operations["proposeMarginPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/margin-policy/{number}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw a version that has not taken effect */
        post: operations["withdrawMarginPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/margin/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the margin calls of all tenants that run, or that have ended, newest first */
        get: operations["listMarginCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/margin/stress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the book of today with the book at other prices or margin terms
         * @description Changes nothing. As `cli margin stress`. One runs at a time in each process, and it is cancelled when it takes too long.
         */
        post: operations["stressBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/margin/warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the open margin warnings of all tenants, the earliest deadline first */
        get: operations["listOpenWarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show whose token it is, and what they may do */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/operations/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what is wrong now, the most urgent first, by the limits of the alarms */
        get: operations["listProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the operators */
        get: operations["listOperators"];
        put?: never;
        /** Invite an operator to the desk */
        post: operations["inviteOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the role of an operator, from their next request on */
        patch: operations["changeOperator"];
        trace?: never;
    };
    "/operator/v1/operators/{id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite an operator again; opening it ends their sessions and removes their passkeys */
        post: operations["inviteOperatorAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/operators/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove an operator: sessions, passkeys and tokens end at once */
        post: operations["removeOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/partitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the partitions of each table, their sizes, and which is dropped next */
        get: operations["listPartitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/passkeys": {
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
    "/operator/v1/passkeys/{id}": {
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
    "/operator/v1/passkeys/confirmation/options": {
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
    "/operator/v1/passkeys/options": {
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
    "/operator/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last accepted price of each asset with its quotes; none where tests set prices */
        get: operations["listPriceSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the processes that have reported within the hour, with version and keys */
        get: operations["listProcesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers called over HTTP, with breakers and durations */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how much work and how many deliveries wait, and for how long */
        get: operations["getQueueLag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/refunds/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refunds of all tenants that the treasury refused to pay, oldest first */
        get: operations["listRefusedRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/residency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the whole residency policy; default deny
         * @description The history of a rule: `GET /operator/v1/actions?subject_id=` and its id.
         */
        get: operations["listResidencyRules"];
        put?: never;
        /** Set the rule of a place and borrower type; it replaces the one before */
        post: operations["setResidencyRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the checks of all tenants that wait, longest waiting first, without signers' data */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is signed in to the desk */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /** Sign out of the desk */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/session/link": {
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
    "/operator/v1/session/passkey": {
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
    "/operator/v1/session/passkey/options": {
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
    "/operator/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out of the desk in every browser */
        delete: operations["signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how operators can sign in to the desk */
        get: operations["getSignInWays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tenants, newest first */
        get: operations["listTenants"];
        put?: never;
        /**
         * Open an account for a tenant
         * @description Without keys and documents. The tenant makes its key pair itself; `keys register` stores the public key.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a tenant */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/borrowers/{borrower_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a borrower's checks, signatures and block, without signers' data */
        get: operations["getBorrowerFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/borrowers/{borrower_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pass the checks that wait or have failed */
        post: operations["approveBorrower"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/borrowers/{borrower_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Block a borrower from facilities and draws */
        post: operations["blockBorrower"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/borrowers/{borrower_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fail the checks that wait */
        post: operations["rejectBorrower"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/borrowers/{borrower_id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show who signed, and the waiting checks' notes; recorded as an action */
        post: operations["revealReviews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/borrowers/{borrower_id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift the block from a borrower */
        post: operations["unblockBorrower"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a tenant's contracts in all versions, superseded and retired ones too */
        get: operations["listTenantDocuments"];
        put?: never;
        /** Publish a version of a contract, which borrowers must accept from now on */
        post: operations["publishTenantDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/documents/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a version out of use; its signatures no longer count */
        post: operations["retireTenantDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/facilities/{facility_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a facility: debt, collateral, what the custodian holds, warning and call */
        get: operations["getFacility"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/facilities/{facility_id}/margin-calls/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a margin call with its orders and fills */
        get: operations["getMarginCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/facilities/{facility_id}/margin-warnings/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a margin warning with each decision in words, and decided again */
        get: operations["getMarginWarning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/facilities/{facility_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what happened to the margin of a facility, newest first */
        get: operations["readTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a tenant's API keys, oldest first, revoked ones too */
        get: operations["listTenantKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an API key for good; every process refuses it within five seconds */
        post: operations["revokeTenantKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who may use the console of a tenant */
        get: operations["listTenantPeople"];
        put?: never;
        /** Invite a person to the console of a tenant, or again one who lost their passkeys */
        post: operations["inviteTenantPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/people/{person_id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a person from the console of a tenant; their sessions end at once */
        post: operations["removeTenantPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/refunds/{refund_id}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay a refused refund to another destination */
        post: operations["redirectRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a suspended tenant write again
         * @description On every process within five seconds. Reads, webhooks, refunds and the margin ladder go on.
         */
        post: operations["resumeTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tenants/{tenant_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse whatever a tenant would change
         * @description On every process within five seconds. Reads, webhooks, refunds and the margin ladder go on.
         */
        post: operations["suspendTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tokens of operators, revoked and expired ones too, oldest first */
        get: operations["listTokens"];
        put?: never;
        /** Make a token that acts as you */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token for good, at once */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/webhooks/troubled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks of all tenants that fail or are disabled, by tenant */
        get: operations["listTroubledWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/work/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry stuck work now; with subject_id also work that has failed less often */
        post: operations["retryWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/work/stuck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List work that has failed ten times or more, longest failing first */
        get: operations["listStuckWork"];
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
         *       "items": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "tenant_name": "Acme",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "limit": {
         *             "amount": "20000.00",
         *             "asset": "USD"
         *           },
         *           "waiting_since": "2026-11-22T12:00:00.000Z",
         *           "waited_seconds": 5400,
         *           "waits_for": "portfolio_missing",
         *           "error": null,
         *           "decided_by": "2026-11-23T12:00:00.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        ApplicationPage: {
            has_more: boolean;
            items: components["schemas"]["WaitingApplication"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "id": "apr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "status": "PENDING",
         *       "action": "borrowers.unblock",
         *       "subject": {
         *         "kind": "borrower",
         *         "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *       },
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "before": {
         *         "blocked": true
         *       },
         *       "after": {
         *         "blocked": false
         *       },
         *       "reason": "released by the court",
         *       "proposed_by": "ada@lender.example",
         *       "proposed_at": "2026-11-22T12:00:00.000Z",
         *       "expires_at": "2026-11-25T12:00:00.000Z",
         *       "decided_by": null,
         *       "decided_at": null,
         *       "decision_reason": null
         *     }
         */
        Approval: {
            /** @description What is done once it is confirmed */
            action: string;
            after: {
                [key: string]: unknown;
            } | null;
            before: {
                [key: string]: unknown;
            } | null;
            decided_at: string | null;
            decided_by: string | null;
            decision_reason: string | null;
            /** Format: date-time */
            expires_at: string;
            id: string;
            /** Format: date-time */
            proposed_at: string;
            proposed_by: string;
            reason: string;
            /** @enum {string} */
            status: "PENDING" | "CONFIRMED" | "REJECTED" | "EXPIRED";
            subject: {
                id: string;
                kind: string;
            };
            tenant_id: string | null;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "apr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "status": "PENDING",
         *           "action": "borrowers.unblock",
         *           "subject": {
         *             "kind": "borrower",
         *             "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "before": {
         *             "blocked": true
         *           },
         *           "after": {
         *             "blocked": false
         *           },
         *           "reason": "released by the court",
         *           "proposed_by": "ada@lender.example",
         *           "proposed_at": "2026-11-22T12:00:00.000Z",
         *           "expires_at": "2026-11-25T12:00:00.000Z",
         *           "decided_by": null,
         *           "decided_at": null,
         *           "decision_reason": null
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        ApprovalPage: {
            has_more: boolean;
            items: components["schemas"]["Approval"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "tenant_name": "Acme",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "borrower_type": "individual",
         *       "blocked_since": "2026-11-22T12:00:00.000Z",
         *       "reason": "court order 12/2026",
         *       "blocked_by": "ada@lender.example",
         *       "action_number": 42
         *     }
         */
        BlockedBorrower: {
            action_number: number | null;
            /** @description As `actor` of the action; null where none is known */
            blocked_by: string | null;
            /** Format: date-time */
            blocked_since: string;
            borrower_id: string;
            /** @enum {string} */
            borrower_type: "individual" | "business";
            reason: string;
            tenant_id: string;
            tenant_name: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "tenant_name": "Acme",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "borrower_type": "individual",
         *           "blocked_since": "2026-11-22T12:00:00.000Z",
         *           "reason": "court order 12/2026",
         *           "blocked_by": "ada@lender.example",
         *           "action_number": 42
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        BlockedBorrowerPage: {
            has_more: boolean;
            items: components["schemas"]["BlockedBorrower"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "read_at": "2026-11-22T12:00:00.000Z",
         *       "tenant_id": null,
         *       "exposure": {
         *         "facilities": 1,
         *         "total_usd": "20005.48",
         *         "principal_usd": "20000.00",
         *         "interest_usd": "5.48"
         *       },
         *       "commitments": {
         *         "facilities": 1,
         *         "limits_usd": "50000.00",
         *         "reserved_usd": "0.00",
         *         "undrawn_usd": "30000.00",
         *         "undrawn_blocked_usd": "0.00"
         *       },
         *       "collateral": {
         *         "value_usd": "97000.00",
         *         "assets": [
         *           {
         *             "asset": "BTC",
         *             "facilities": 1,
         *             "quantity": "1",
         *             "value_usd": "97000.00",
         *             "share": "1.000000"
         *           }
         *         ]
         *       },
         *       "ltv": {
         *         "total": "0.206243",
         *         "weighted": "0.206243",
         *         "distribution": [
         *           {
         *             "above_ltv": null,
         *             "to_ltv": "0.400000",
         *             "facilities": 1,
         *             "exposure_usd": "20005.48",
         *             "collateral_value_usd": "97000.00",
         *             "share": "1.000000"
         *           }
         *         ]
         *       },
         *       "warnings": {
         *         "open": 0,
         *         "exposure_usd": "0.00",
         *         "tiers": [
         *           {
         *             "tier": 1,
         *             "open": 0,
         *             "exposure_usd": "0.00"
         *           }
         *         ]
         *       },
         *       "margin_calls": {
         *         "running": 0,
         *         "exposure_usd": "0.00"
         *       },
         *       "deficits": {
         *         "facilities": 0,
         *         "exposure_usd": "0.00",
         *         "deficit_usd": "0.00"
         *       },
         *       "stale": {
         *         "facilities": 0,
         *         "exposure_usd": "0.00"
         *       },
         *       "interest": {
         *         "earned_usd": "5.48"
         *       },
         *       "charged_off": {
         *         "facilities": 0,
         *         "total_usd": "0.00",
         *         "recovered_usd": "0.00"
         *       },
         *       "tenants": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "name": "Example",
         *           "facilities": 1,
         *           "exposure_usd": "20005.48",
         *           "undrawn_usd": "30000.00",
         *           "weighted_ltv": "0.206243",
         *           "open_warnings": 0,
         *           "margin_calls": 0,
         *           "deficit_usd": "0.00",
         *           "interest_earned_usd": "5.48",
         *           "share": "1.000000"
         *         }
         *       ],
         *       "more_tenants": 0,
         *       "countries": [
         *         {
         *           "country": "DE",
         *           "facilities": 1,
         *           "exposure_usd": "20005.48",
         *           "share": "1.000000"
         *         }
         *       ],
         *       "borrowers": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "country": "DE",
         *           "exposure_usd": "20005.48",
         *           "ltv": "0.206243",
         *           "share": "1.000000"
         *         }
         *       ]
         *     }
         */
        Book: {
            /** @description The 20 of the largest exposure */
            borrowers: {
                borrower_id: string;
                country: string;
                exposure_usd: string;
                facility_id: string;
                ltv: string;
                /** @description Of the whole, rounded down */
                share: string;
                tenant_id: string;
            }[];
            charged_off: {
                /** @description How many */
                facilities: number;
                recovered_usd: string;
                total_usd: string;
            };
            /** @description Of facilities that owe, after haircuts */
            collateral: {
                assets: {
                    asset: string;
                    /** @description How many */
                    facilities: number;
                    quantity: string;
                    /** @description Of the whole, rounded down */
                    share: string;
                    value_usd: string;
                }[];
                value_usd: string;
            };
            /** @description Limits of approved facilities */
            commitments: {
                /** @description How many */
                facilities: number;
                limits_usd: string;
                /** @description For draws in progress */
                reserved_usd: string;
                /** @description Part of it: the borrower is blocked from draws */
                undrawn_blocked_usd: string;
                /** @description Of each facility: limit less principal and reserved */
                undrawn_usd: string;
            };
            countries: {
                country: string;
                exposure_usd: string;
                /** @description How many */
                facilities: number;
                /** @description Of the whole, rounded down */
                share: string;
            }[];
            /** @description Facilities that owe more than their collateral is worth */
            deficits: {
                /** @description Exposure less collateral, of each */
                deficit_usd: string;
                exposure_usd: string;
                /** @description How many */
                facilities: number;
            };
            /** @description What facilities owe, as /v1 shows it */
            exposure: {
                /** @description How many */
                facilities: number;
                /** @description Run and not paid */
                interest_usd: string;
                principal_usd: string;
                total_usd: string;
            };
            interest: {
                /** @description All that has run since the first draw: due, paid, waived or charged off; ended facilities too */
                earned_usd: string;
            };
            ltv: {
                distribution: {
                    /** @description Null: from 0 */
                    above_ltv: string | null;
                    collateral_value_usd: string;
                    exposure_usd: string;
                    /** @description How many */
                    facilities: number;
                    /** @description Of the whole, rounded down */
                    share: string;
                    /** @description Inclusive; null: without end */
                    to_ltv: string | null;
                }[];
                /** @description Exposure over collateral */
                total: string;
                /** @description The average of the ratios as shown, weighted by exposure, of those with collateral of value */
                weighted: string;
            };
            margin_calls: {
                exposure_usd: string;
                running: number;
            };
            /** @description How many are left out */
            more_tenants: number;
            /**
             * Format: date-time
             * @description Of what instant all figures are
             */
            read_at: string;
            /** @description Valued at old or missing prices */
            stale: {
                exposure_usd: string;
                /** @description How many */
                facilities: number;
            };
            /** @description Null: of all tenants */
            tenant_id: string | null;
            /** @description Largest exposure first, at most 100 */
            tenants: {
                deficit_usd: string;
                exposure_usd: string;
                /** @description How many */
                facilities: number;
                interest_earned_usd: string;
                margin_calls: number;
                name: string;
                open_warnings: number;
                /** @description Of the whole, rounded down */
                share: string;
                tenant_id: string;
                undrawn_usd: string;
                weighted_ltv: string;
            }[];
            warnings: {
                exposure_usd: string;
                open: number;
                tiers: {
                    exposure_usd: string;
                    open: number;
                    tier: number;
                }[];
            };
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "state": "APPROVED",
         *           "country": "DE",
         *           "borrower_blocked": false,
         *           "amount_usd": "20005.48",
         *           "limit_usd": "50000.00",
         *           "undrawn_usd": "30000.00",
         *           "exposure_usd": "20005.48",
         *           "collateral_value_usd": "97000.00",
         *           "ltv": "0.206243",
         *           "valuation_status": "FRESH",
         *           "warning": null,
         *           "margin_call_number": null,
         *           "interest_earned_usd": "5.48",
         *           "charged_off_usd": "0.00",
         *           "recovered_usd": "0.00"
         *         }
         *       ],
         *       "has_more": false,
         *       "read_at": "2026-11-22T12:00:00.000Z",
         *       "facilities": 1,
         *       "amount_usd": "20005.48"
         *     }
         */
        BookFacilities: {
            /** @description The sum over all pages */
            amount_usd: string;
            /** @description Of all pages */
            facilities: number;
            has_more: boolean;
            items: {
                /** @description What it adds to the figure */
                amount_usd: string;
                borrower_blocked: boolean;
                borrower_id: string;
                charged_off_usd: string;
                collateral_value_usd: string;
                country: string;
                exposure_usd: string;
                facility_id: string;
                interest_earned_usd: string;
                limit_usd: string;
                ltv: string;
                /** @description Of the running one */
                margin_call_number: number | null;
                recovered_usd: string;
                /** @enum {string} */
                state: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
                tenant_id: string;
                undrawn_usd: string;
                /** @enum {string} */
                valuation_status: "FRESH" | "STALE";
                /** @description The open one */
                warning: {
                    /** Format: date-time */
                    cure_deadline: string;
                    number: number;
                    tier: number;
                } | null;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
            /**
             * Format: date-time
             * @description All pages are of the instant of the first
             */
            read_at: string;
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "tenant_name": "Acme",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "type": "individual",
         *       "residency": "US-CA",
         *       "kyc_attested": true,
         *       "eligible": false,
         *       "block": null,
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "checks": [
         *         {
         *           "check_id": "chk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "kind": "aml",
         *           "status": "review",
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "decided_at": null
         *         }
         *       ],
         *       "signatures": [
         *         {
         *           "signature_id": "sig_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "signer": 1,
         *           "contract_type": "master_loan_agreement",
         *           "contract_version": "2026-01",
         *           "document": {
         *             "title": "Master loan agreement",
         *             "url": "https://docs.lender.example/mla-2026-01.pdf"
         *           },
         *           "signed_at": "2026-11-22T12:00:00.000Z"
         *         }
         *       ],
         *       "latest_facility": null,
         *       "proposals": []
         *     }
         */
        BorrowerFile: {
            block: {
                reason: string;
                /** Format: date-time */
                since: string;
            } | null;
            borrower_id: string;
            checks: {
                check_id: string;
                /** Format: date-time */
                created_at: string;
                decided_at: string | null;
                /** @enum {string} */
                kind: "kyc" | "kyb" | "aml";
                /** @enum {string} */
                status: "pending" | "review" | "passed" | "failed";
            }[];
            /** Format: date-time */
            created_at: string;
            eligible: boolean;
            /** @description By the tenant */
            kyc_attested: boolean;
            latest_facility: {
                /** Format: date-time */
                created_at: string;
                facility_id: string;
                limit: {
                    amount: string;
                    asset: string;
                };
                state: string;
            } | null;
            /** @description Acts about the borrower that wait for a second operator */
            proposals: {
                action: string;
                approval_id: string;
                /** Format: date-time */
                expires_at: string;
                proposed_by: string;
                reason: string;
            }[];
            /** @description Country, or country and state */
            residency: string;
            signatures: {
                contract_type: string;
                contract_version: string;
                document: {
                    title: string;
                    url: string;
                } | null;
                signature_id: string;
                /** Format: date-time */
                signed_at: string;
                /** @description 1, 2, …: the same number for the same name */
                signer: number;
            }[];
            tenant_id: string;
            tenant_name: string;
            /** @enum {string} */
            type: "individual" | "business";
        };
        DecidedApproval: {
            action: string;
            id: string;
            /** @enum {string} */
            status: "CONFIRMED" | "REJECTED";
            subject: {
                id: string;
                kind: string;
            } | null;
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "number": 1,
         *       "margin_warning_number": 1,
         *       "status": "COMPLETED",
         *       "outcome": "partial",
         *       "target_ltv": "0.55",
         *       "planned": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "0.405772"
         *         }
         *       ],
         *       "sold": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "0.405772",
         *           "proceeds_usd": "28404.04"
         *         }
         *       ],
         *       "costs_usd": "284.05",
         *       "allocation": {
         *         "interest": {
         *           "amount": "27.40",
         *           "asset": "USD"
         *         },
         *         "principal": {
         *           "amount": "28092.59",
         *           "asset": "USD"
         *         },
         *         "refund_due": {
         *           "amount": "0.00",
         *           "asset": "USD"
         *         }
         *       },
         *       "surplus_usd": "0.00",
         *       "deficit_usd": "0.00",
         *       "started_at": "2026-11-22T12:00:01.000Z",
         *       "completed_at": "2026-11-22T12:00:02.000Z",
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "orders": [
         *         {
         *           "number": 1,
         *           "asset": "BTC",
         *           "quantity": "0.405772",
         *           "in_kind": false,
         *           "status": "FILLED",
         *           "ordered_at": "2026-11-22T12:00:01.000Z",
         *           "acknowledged_at": "2026-11-22T12:00:01.000Z",
         *           "fill": {
         *             "quantity": "0.405772",
         *             "proceeds_usd": "28404.04",
         *             "costs_usd": "284.05",
         *             "executed_at": "2026-11-22T12:00:02.000Z"
         *           }
         *         }
         *       ]
         *     }
         */
        DeskCall: {
            allocation: {
                interest: {
                    amount: string;
                    asset: string;
                };
                principal: {
                    amount: string;
                    asset: string;
                };
                refund_due: {
                    amount: string;
                    asset: string;
                };
            };
            /** Format: date-time */
            completed_at?: string;
            costs_usd: string;
            /** Format: date-time */
            created_at: string;
            deficit_usd: string;
            facility_id: string;
            margin_warning_number: number;
            number: number;
            /** @description To the custodian, with their fills, in order */
            orders: {
                /** @description When the custodian accepted it */
                acknowledged_at: string | null;
                asset: string;
                fill: {
                    costs_usd: string;
                    /** Format: date-time */
                    executed_at: string;
                    proceeds_usd: string;
                    quantity: string;
                } | null;
                /** @description Taken as it is, without a sale */
                in_kind: boolean;
                number: number;
                /** Format: date-time */
                ordered_at: string;
                quantity: string;
                /** @enum {string} */
                status: "ORDERED" | "FILLED" | "REFUSED";
            }[];
            /** @enum {string} */
            outcome?: "partial" | "full" | "not_needed" | "deficit";
            planned: {
                asset: string;
                quantity: string;
            }[];
            sold: {
                asset: string;
                proceeds_usd: string;
                quantity: string;
            }[];
            /** Format: date-time */
            started_at?: string;
            /** @enum {string} */
            status: "PENDING" | "SELLING" | "COMPLETED";
            surplus_usd: string;
            target_ltv?: string;
            tenant_id: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "number": 1,
         *           "margin_warning_number": 1,
         *           "status": "COMPLETED",
         *           "outcome": "partial",
         *           "target_ltv": "0.55",
         *           "planned": [
         *             {
         *               "asset": "BTC",
         *               "quantity": "0.405772"
         *             }
         *           ],
         *           "sold": [
         *             {
         *               "asset": "BTC",
         *               "quantity": "0.405772",
         *               "proceeds_usd": "28404.04"
         *             }
         *           ],
         *           "costs_usd": "284.05",
         *           "allocation": {
         *             "interest": {
         *               "amount": "27.40",
         *               "asset": "USD"
         *             },
         *             "principal": {
         *               "amount": "28092.59",
         *               "asset": "USD"
         *             },
         *             "refund_due": {
         *               "amount": "0.00",
         *               "asset": "USD"
         *             }
         *           },
         *           "surplus_usd": "0.00",
         *           "deficit_usd": "0.00",
         *           "started_at": "2026-11-22T12:00:01.000Z",
         *           "completed_at": "2026-11-22T12:00:02.000Z",
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "orders": [
         *             {
         *               "number": 1,
         *               "asset": "BTC",
         *               "quantity": "0.405772",
         *               "in_kind": false,
         *               "status": "FILLED",
         *               "ordered_at": "2026-11-22T12:00:01.000Z",
         *               "acknowledged_at": "2026-11-22T12:00:01.000Z",
         *               "fill": {
         *                 "quantity": "0.405772",
         *                 "proceeds_usd": "28404.04",
         *                 "costs_usd": "284.05",
         *                 "executed_at": "2026-11-22T12:00:02.000Z"
         *               }
         *             }
         *           ]
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        DeskCallPage: {
            has_more: boolean;
            items: {
                allocation: {
                    interest: {
                        amount: string;
                        asset: string;
                    };
                    principal: {
                        amount: string;
                        asset: string;
                    };
                    refund_due: {
                        amount: string;
                        asset: string;
                    };
                };
                /** Format: date-time */
                completed_at?: string;
                costs_usd: string;
                /** Format: date-time */
                created_at: string;
                deficit_usd: string;
                facility_id: string;
                margin_warning_number: number;
                number: number;
                /** @description To the custodian, with their fills, in order */
                orders: {
                    /** @description When the custodian accepted it */
                    acknowledged_at: string | null;
                    asset: string;
                    fill: {
                        costs_usd: string;
                        /** Format: date-time */
                        executed_at: string;
                        proceeds_usd: string;
                        quantity: string;
                    } | null;
                    /** @description Taken as it is, without a sale */
                    in_kind: boolean;
                    number: number;
                    /** Format: date-time */
                    ordered_at: string;
                    quantity: string;
                    /** @enum {string} */
                    status: "ORDERED" | "FILLED" | "REFUSED";
                }[];
                /** @enum {string} */
                outcome?: "partial" | "full" | "not_needed" | "deficit";
                planned: {
                    asset: string;
                    quantity: string;
                }[];
                sold: {
                    asset: string;
                    proceeds_usd: string;
                    quantity: string;
                }[];
                /** Format: date-time */
                started_at?: string;
                /** @enum {string} */
                status: "PENDING" | "SELLING" | "COMPLETED";
                surplus_usd: string;
                target_ltv?: string;
                tenant_id: string;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "person": {
         *         "id": "opr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *         "email": "ada@lender.example",
         *         "name": "Ada",
         *         "role": "risk"
         *       },
         *       "stack": "live",
         *       "local": false,
         *       "four_eyes": true,
         *       "acts": [
         *         "borrowers.block",
         *         "borrowers.unblock"
         *       ],
         *       "signed_in_by": "passkey",
         *       "passkeys": 2,
         *       "must_add_passkey": false,
         *       "expires_at": "2026-11-28T12:00:00.000Z"
         *     }
         */
        DeskSession: {
            /** @description What the role allows beyond reading */
            acts: string[];
            /**
             * Format: date-time
             * @description At the latest; after 12 hours without a request it ends sooner
             */
            expires_at: string;
            /** @description Whether some acts need a second operator */
            four_eyes: boolean;
            /** @description The stack that npm start runs on this machine */
            local: boolean;
            /** @description Until a passkey is added, nothing else is allowed */
            must_add_passkey: boolean;
            /** @description How many passkeys the operator has */
            passkeys: number;
            person: components["schemas"]["Operator"];
            /** @enum {string} */
            signed_in_by: "link" | "invitation" | "passkey" | "oidc";
            /** @enum {string} */
            stack: "live" | "sandbox";
        };
        /**
         * @example {
         *       "key_id": "k1",
         *       "signing_secrets": 12,
         *       "stored_answers": 1,
         *       "encrypted_by": 2,
         *       "decrypted_by": 1,
         *       "missing_in": []
         *     }
         */
        EncryptionKey: {
            /** @description Processes that only decrypt with it */
            decrypted_by: number;
            /** @description Processes that encrypt with it */
            encrypted_by: number;
            key_id: string;
            /** @description Processes that do not have it */
            missing_in: string[];
            /** @description Encrypted with it */
            signing_secrets: number;
            stored_answers: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "key_id": "k1",
         *           "signing_secrets": 12,
         *           "stored_answers": 1,
         *           "encrypted_by": 2,
         *           "decrypted_by": 1,
         *           "missing_in": []
         *         }
         *       ]
         *     }
         */
        EncryptionKeys: {
            items: components["schemas"]["EncryptionKey"][];
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "number": 1,
         *       "tier": 1,
         *       "status": "OPEN",
         *       "cure_amount_usd": "9301.10",
         *       "cure_collateral_usd": "15501.84",
         *       "cure_deadline": "2026-11-22T12:00:00.000Z",
         *       "window_deadline": "2026-11-22T12:00:00.000Z",
         *       "ltv_at_raise": "0.736378",
         *       "latest_ltv": "0.736378",
         *       "raised_at": "2026-11-20T12:00:00.000Z",
         *       "extended_seconds": 0,
         *       "if_escalated": {
         *         "sale_usd": "28342.67",
         *         "target_ltv": "0.55"
         *       },
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "as_of": "2026-11-20T13:00:00.000Z",
         *       "seconds_left": 169200,
         *       "debt_usd": "50000.58",
         *       "collateral_value_usd": "67900.00",
         *       "valuation_status": "FRESH",
         *       "reported": [
         *         {
         *           "repayment_id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "amount": {
         *             "amount": "9301.10",
         *             "asset": "USD"
         *           },
         *           "credit_usd": "9301.10",
         *           "reported_at": "2026-11-20T12:50:00.000Z",
         *           "holds_until": "2026-11-21T12:50:00.000Z"
         *         }
         *       ],
         *       "claimed": null,
         *       "custodian": {
         *         "positions": [
         *           {
         *             "asset": "BTC",
         *             "quantity": "1"
         *           }
         *         ],
         *         "read_at": "2026-11-20T12:00:01.000Z"
         *       },
         *       "decisions": [
         *         {
         *           "number": 1,
         *           "kind": "raise",
         *           "decided_at": "2026-11-20T12:01:00.000Z",
         *           "facts": {
         *             "outcome": {
         *               "tier": 1,
         *               "cure_deadline": "2026-11-22T12:01:00.000Z"
         *             },
         *             "trigger": "price",
         *             "debt": {
         *               "principal_usd": "50000.00",
         *               "interest_usd": "0.00",
         *               "total_usd": "50000.00",
         *               "rate": "0.1"
         *             },
         *             "values": {
         *               "highest_usd": "67900.00",
         *               "lowest_usd": "67900.00",
         *               "latest_usd": "67900.00"
         *             },
         *             "positions": [
         *               {
         *                 "asset": "BTC",
         *                 "quantity": "1",
         *                 "haircut": "0.03",
         *                 "value_usd": "67900.00"
         *               }
         *             ],
         *             "rounds": [
         *               [
         *                 {
         *                   "asset": "BTC",
         *                   "price_usd": "70000",
         *                   "accepted_at": "2026-11-20T12:00:00.000Z",
         *                   "sources": []
         *                 }
         *               ],
         *               [
         *                 {
         *                   "asset": "BTC",
         *                   "price_usd": "70000",
         *                   "accepted_at": "2026-11-20T12:01:00.000Z",
         *                   "sources": []
         *                 }
         *               ]
         *             ],
         *             "reported": [],
         *             "policy": {
         *               "version": "2026-11",
         *               "floor_ltv": "0.7",
         *               "cure_ltv": "0.6",
         *               "tiers": [
         *                 {
         *                   "tier": 1,
         *                   "above_ltv": "0.7",
         *                   "cure_seconds": 172800
         *                 }
         *               ],
         *               "critical_ltv": "0.83",
         *               "confirm_seconds": 60,
         *               "flicker_seconds": 600,
         *               "least_usd": "10.00"
         *             }
         *           },
         *           "summary": "Warning raised at tier 1, to cure until 2026-11-22T12:01:00.000Z: 50000.00 USD was owed, and at the best prices of the window the collateral counted 67900.00 USD: an LTV of 0.736378, above 0.7.",
         *           "recorded": "raise to tier 1 until 2026-11-22T12:01:00.000Z",
         *           "recomputed": "raise to tier 1 until 2026-11-22T12:01:00.000Z",
         *           "agrees": true
         *         }
         *       ]
         *     }
         */
        ExplainedWarning: {
            /**
             * Format: date-time
             * @description The tenant's time of all figures: on the sandbox it may be ahead
             */
            as_of: string;
            borrower_id: string;
            /** @description Collateral that was pushed and that the custodian has not confirmed */
            claimed: {
                /** @description Since when the custodian is asked about it */
                asked_since: string | null;
                positions: {
                    asset: string;
                    quantity: string;
                }[];
                /** Format: date-time */
                pushed_at: string;
            } | null;
            collateral_value_usd: string;
            cure_amount_usd: string;
            cure_collateral_usd: string;
            /** Format: date-time */
            cure_deadline: string;
            /** Format: date-time */
            cured_at?: string;
            /**
             * @description `correction`: by what the custodian holds, it should never have been raised
             * @enum {string}
             */
            cured_by?: "repayment" | "collateral" | "price" | "correction";
            /** @description What the custodian last answered or was read to hold */
            custodian: {
                positions: {
                    asset: string;
                    quantity: string;
                }[];
                /** Format: date-time */
                read_at: string;
            } | null;
            debt_usd: string;
            /** @description Oldest first */
            decisions: {
                /** @description false: the record is wrong */
                agrees: boolean;
                /** Format: date-time */
                decided_at: string;
                /** @description All inputs of the decision, and its result */
                facts: {
                    /** @description What the warning was raised on, by the positions of the custodian */
                    at_raise?: {
                        debt_usd: string;
                        highest_usd: string;
                    };
                    debt: {
                        interest_usd: string;
                        principal_usd: string;
                        rate: string;
                        total_usd: string;
                    };
                    last_cure?: {
                        /** Format: date-time */
                        cured_at: string;
                        seconds_left: number;
                    };
                    outcome: {
                        /** Format: date-time */
                        cure_deadline?: string;
                        /** @enum {string} */
                        cured_by?: "repayment" | "collateral" | "price" | "correction";
                        /** @enum {string} */
                        reason?: "deadline" | "critical";
                        tier?: number;
                    };
                    policy: {
                        confirm_seconds: number;
                        critical_ltv: string;
                        cure_ltv: string;
                        /** @description How long after the deadline the window may be undecided */
                        flicker_seconds: number;
                        floor_ltv: string;
                        least_usd: string;
                        tiers: {
                            above_ltv: string;
                            cure_seconds: number;
                            tier: number;
                        }[];
                        version: string;
                    };
                    /** @description At the latest round; for an escalation as confirmed by the custodian */
                    positions: {
                        asset: string;
                        /** @description What counts towards a cure, where it is less */
                        cure_quantity?: string;
                        haircut?: string;
                        quantity: string;
                        value_usd: string;
                    }[];
                    /** @description The newest push, and whether the custodian has answered about it */
                    push?: {
                        /**
                         * Format: date-time
                         * @description The positions are then those of the custodian
                         */
                        answered_at?: string;
                        /** Format: date-time */
                        asked_since?: string;
                        /** Format: date-time */
                        received_at: string;
                    };
                    /** @description Repayments reported in time and not confirmed yet */
                    reported: {
                        amount_usd: string;
                        /** Format: date-time */
                        holds_until: string;
                    }[];
                    /** @description Prices of the rounds that were evaluated, oldest first */
                    rounds: {
                        /** Format: date-time */
                        accepted_at: string;
                        asset: string;
                        price_usd: string;
                        /** @description The quote of each venue; none where the sandbox set the price */
                        sources: {
                            /** Format: date-time */
                            at: string;
                            price_usd: string;
                            source: string;
                        }[];
                    }[][];
                    /**
                     * @description What triggered the evaluation
                     * @enum {string}
                     */
                    trigger: "repayment" | "collateral" | "price";
                    /** @description Value of the positions at the rounds; absent where prices were not used */
                    values?: {
                        highest_usd: string;
                        latest_usd: string;
                        lowest_usd: string;
                    };
                    /** @description The warning before this decision */
                    warning?: {
                        /** Format: date-time */
                        cure_deadline: string;
                        tier: number;
                        /**
                         * Format: date-time
                         * @description The deadline of its tiers without extensions
                         */
                        window_deadline: string;
                    };
                };
                /** @enum {string} */
                kind: "raise" | "worsen" | "cure" | "escalate";
                number: number;
                /** @description Its outcome, decided again from the recorded inputs */
                recomputed: string;
                /** @description Its outcome, as it is on record */
                recorded: string;
                /** @description The decision in words */
                summary: string;
            }[];
            /** Format: date-time */
            escalated_at?: string;
            /** @description How far outages have moved the deadline */
            extended_seconds: number;
            facility_id: string;
            if_escalated?: {
                sale_usd: string;
                target_ltv: string;
            };
            /** @description At the latest prices, while the warning is open */
            latest_ltv?: string;
            /** @description As evaluated: at the highest value of the window */
            ltv_at_raise: string;
            number: number;
            /** Format: date-time */
            raised_at: string;
            /** @description Repayments that the borrower reported and the treasury has not confirmed */
            reported: {
                amount: {
                    amount: string;
                    asset: string;
                };
                credit_usd: string;
                /**
                 * Format: date-time
                 * @description Until then it holds the escalation
                 */
                holds_until: string;
                repayment_id: string;
                /** Format: date-time */
                reported_at: string;
            }[];
            /** @description Until the deadline, by the time of the tenant; below 0 after it */
            seconds_left: number;
            /** @enum {string} */
            status: "OPEN" | "CURED" | "ESCALATED";
            tenant_id: string;
            tier: number;
            /** @enum {string} */
            valuation_status: "FRESH" | "STALE";
            /**
             * Format: date-time
             * @description The deadline of its tiers alone; holds where the custodian does not confirm a critical loan
             */
            window_deadline: string;
        };
        /**
         * @example {
         *       "operator": {
         *         "id": "opr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *         "email": "ada@lender.example",
         *         "name": "Ada",
         *         "role": "risk"
         *       },
         *       "invitation_url": "https://desk.example.com/desk/#token=opi.…"
         *     }
         */
        InvitedOperator: {
            /** @description Opens once, within 24 hours; shown only now */
            invitation_url: string;
            operator: components["schemas"]["Operator"];
        };
        /**
         * @example {
         *       "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "role": "admin",
         *       "invitation_url": "https://api.example.com/console/invitation#token"
         *     }
         */
        InvitedTenantPerson: {
            email: string;
            id: string;
            /** @description Opens once, within 24 hours; shown only now */
            invitation_url: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin";
        };
        /**
         * @example {
         *       "finished_at": "2026-11-22T12:00:00.000Z",
         *       "violations": {
         *         "I1": 0,
         *         "I4": 1
         *       },
         *       "unfinished": 0,
         *       "findings": [
         *         {
         *           "invariant": "I4",
         *           "check": "journal-sums-to-zero",
         *           "violations": [
         *             {
         *               "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *               "subject": "fac_…",
         *               "detail": "USD sums to 100"
         *             }
         *           ],
         *           "has_more": false,
         *           "timed_out": false
         *         }
         *       ],
         *       "requested_at": null
         *     }
         */
        LastAudit: {
            /** @description Of each check that found something or took too long */
            findings: {
                check: string;
                /** @description The audit command prints all */
                has_more: boolean;
                invariant: string;
                timed_out: boolean;
                violations: {
                    detail: string;
                    subject: string;
                    tenant_id: string;
                }[];
            }[];
            /** @description Null before the first */
            finished_at: string | null;
            /** @description An audit that a worker begins within a minute */
            requested_at: string | null;
            /** @description Checks that took too long */
            unfinished: number;
            /** @description How many were found, by invariant */
            violations: {
                [key: string]: number;
            };
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "state": "APPROVED",
         *       "limit_usd": "50000.00",
         *       "principal_usd": "50000.00",
         *       "interest_usd": "0.58",
         *       "debt_usd": "50000.58",
         *       "collateral_value_usd": "67900.00",
         *       "required_floor_usd": "83334.30",
         *       "ltv": "0.736386",
         *       "health": "WARNING",
         *       "valuation_status": "FRESH",
         *       "as_of": "2026-11-20T13:00:00.000Z",
         *       "positions": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "1",
         *           "price_usd": "70000",
         *           "haircut": "0.03",
         *           "value_usd": "67900.00"
         *         }
         *       ],
         *       "custodian": {
         *         "positions": [
         *           {
         *             "asset": "BTC",
         *             "quantity": "1"
         *           }
         *         ],
         *         "read_at": "2026-11-20T12:00:01.000Z"
         *       },
         *       "open_warning": 1,
         *       "running_call": null
         *     }
         */
        MarginFacility: {
            /** Format: date-time */
            as_of: string;
            borrower_id: string;
            collateral_value_usd: string;
            /** @description What the custodian last answered or was read to hold */
            custodian: {
                positions: {
                    asset: string;
                    quantity: string;
                }[];
                /** Format: date-time */
                read_at: string;
            } | null;
            debt_usd: string;
            /** @enum {string} */
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            id: string;
            interest_usd: string;
            limit_usd: string;
            ltv: string;
            /** @description Its number */
            open_warning: number | null;
            positions: {
                asset: string;
                /** @description null: it is no collateral */
                haircut: string | null;
                price_usd: string | null;
                quantity: string;
                value_usd: string;
            }[];
            principal_usd: string;
            required_floor_usd: string;
            /** @description Its number */
            running_call: number | null;
            /** @enum {string} */
            state: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
            tenant_id: string;
            /** @enum {string} */
            valuation_status: "FRESH" | "STALE";
        };
        /**
         * @example {
         *       "in_force": "2026-11",
         *       "own_terms": {
         *         "floor_ltv": "0.7",
         *         "cure_ltv": "0.6",
         *         "tiers": [
         *           {
         *             "above_ltv": "0.7",
         *             "cure_hours": 48
         *           },
         *           {
         *             "above_ltv": "0.75",
         *             "cure_hours": 12
         *           },
         *           {
         *             "above_ltv": "0.8",
         *             "cure_hours": 2
         *           }
         *         ],
         *         "critical_ltv": "0.83",
         *         "confirm_seconds": 60,
         *         "relapse_hours": 24,
         *         "relapse_least_hours": 2,
         *         "least_usd": "10.00",
         *         "target_ltv": "0.55",
         *         "sale_fee": "0.02",
         *         "deep_ltv": "0.95",
         *         "dust_usd": "1000.00",
         *         "haircuts": {
         *           "USD": "0",
         *           "BTC": "0.03",
         *           "ETH": "0.05",
         *           "USDC": "0.01"
         *         }
         *       },
         *       "versions": [
         *         {
         *           "version": 1,
         *           "state": "scheduled",
         *           "effective_from": "2026-12-01T00:00:00.000Z",
         *           "note": "volatility of ETH",
         *           "proposed_by": "ada@lender.example",
         *           "signed_by": "grace@lender.example",
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "terms": {
         *             "floor_ltv": "0.7",
         *             "cure_ltv": "0.6",
         *             "tiers": [
         *               {
         *                 "above_ltv": "0.7",
         *                 "cure_hours": 48
         *               },
         *               {
         *                 "above_ltv": "0.75",
         *                 "cure_hours": 12
         *               },
         *               {
         *                 "above_ltv": "0.8",
         *                 "cure_hours": 2
         *               }
         *             ],
         *             "critical_ltv": "0.83",
         *             "confirm_seconds": 60,
         *             "relapse_hours": 24,
         *             "relapse_least_hours": 2,
         *             "least_usd": "10.00",
         *             "target_ltv": "0.55",
         *             "sale_fee": "0.02",
         *             "deep_ltv": "0.95",
         *             "dust_usd": "1000.00",
         *             "haircuts": {
         *               "USD": "0",
         *               "BTC": "0.03",
         *               "ETH": "0.05",
         *               "USDC": "0.01"
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        MarginPolicyVersions: {
            /** @description The number of a version, or the name of the own terms */
            in_force: string;
            /** @description The service's own, before the first version */
            own_terms: {
                confirm_seconds: number;
                critical_ltv: string;
                cure_ltv: string;
                deep_ltv: string;
                dust_usd: string;
                floor_ltv: string;
                haircuts: {
                    [key: string]: string;
                };
                least_usd: string;
                relapse_hours: number;
                relapse_least_hours: number;
                sale_fee: string;
                target_ltv: string;
                tiers: {
                    above_ltv: string;
                    cure_hours: number;
                }[];
            };
            /** @description Oldest first */
            versions: {
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                effective_from: string;
                note: string;
                proposed_by: string;
                signed_by: string;
                /** @enum {string} */
                state: "in_force" | "scheduled" | "superseded" | "withdrawn";
                terms: {
                    confirm_seconds: number;
                    critical_ltv: string;
                    cure_ltv: string;
                    deep_ltv: string;
                    dust_usd: string;
                    floor_ltv: string;
                    haircuts: {
                        [key: string]: string;
                    };
                    least_usd: string;
                    relapse_hours: number;
                    relapse_least_hours: number;
                    sale_fee: string;
                    target_ltv: string;
                    tiers: {
                        above_ltv: string;
                        cure_hours: number;
                    }[];
                };
                version: number;
                withdrawal_note?: string;
                withdrawal_proposed_by?: string;
                withdrawal_signed_by?: string;
                /** Format: date-time */
                withdrawn_at?: string;
            }[];
        };
        MarginTermsInput: {
            confirm_seconds?: number;
            critical_ltv?: string;
            cure_ltv?: string;
            deep_ltv?: string;
            dust_usd?: string;
            floor_ltv?: string;
            haircuts?: {
                BTC?: string;
                ETH?: string;
                USD?: string;
                USDC?: string;
            };
            least_usd?: string;
            relapse_hours?: number;
            relapse_least_hours?: number;
            sale_fee?: string;
            target_ltv?: string;
            tiers?: [
                {
                    above_ltv: string;
                    cure_hours: number;
                },
                {
                    above_ltv: string;
                    cure_hours: number;
                },
                {
                    above_ltv: string;
                    cure_hours: number;
                }
            ];
        };
        Me: {
            /** @description What the role allows beyond reading */
            acts: string[];
            /** @description Whether some acts need a second operator */
            four_eyes: boolean;
            operator: components["schemas"]["Operator"];
            /** @enum {string} */
            stack: "live" | "sandbox";
        };
        /**
         * @example {
         *       "id": "opt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "token": "opt.…",
         *       "expires_at": "2027-01-31T00:00:00.000Z"
         *     }
         */
        NewOperatorToken: {
            /** Format: date-time */
            expires_at: string;
            id: string;
            /** @description Shown only now */
            token: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "number": 1,
         *           "tier": 1,
         *           "status": "OPEN",
         *           "cure_amount_usd": "9301.10",
         *           "cure_collateral_usd": "15501.84",
         *           "cure_deadline": "2026-11-22T12:00:00.000Z",
         *           "window_deadline": "2026-11-22T12:00:00.000Z",
         *           "ltv_at_raise": "0.736378",
         *           "latest_ltv": "0.736378",
         *           "raised_at": "2026-11-20T12:00:00.000Z",
         *           "extended_seconds": 0,
         *           "if_escalated": {
         *             "sale_usd": "28342.67",
         *             "target_ltv": "0.55"
         *           },
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "as_of": "2026-11-20T13:00:00.000Z",
         *           "seconds_left": 169200,
         *           "debt_usd": "50000.58",
         *           "collateral_value_usd": "67900.00",
         *           "valuation_status": "FRESH",
         *           "reported": [
         *             {
         *               "repayment_id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *               "amount": {
         *                 "amount": "9301.10",
         *                 "asset": "USD"
         *               },
         *               "credit_usd": "9301.10",
         *               "reported_at": "2026-11-20T12:50:00.000Z",
         *               "holds_until": "2026-11-21T12:50:00.000Z"
         *             }
         *           ],
         *           "claimed": null,
         *           "custodian": {
         *             "positions": [
         *               {
         *                 "asset": "BTC",
         *                 "quantity": "1"
         *               }
         *             ],
         *             "read_at": "2026-11-20T12:00:01.000Z"
         *           }
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        OpenWarningPage: {
            has_more: boolean;
            items: {
                /**
                 * Format: date-time
                 * @description The tenant's time of all figures: on the sandbox it may be ahead
                 */
                as_of: string;
                borrower_id: string;
                /** @description Collateral that was pushed and that the custodian has not confirmed */
                claimed: {
                    /** @description Since when the custodian is asked about it */
                    asked_since: string | null;
                    positions: {
                        asset: string;
                        quantity: string;
                    }[];
                    /** Format: date-time */
                    pushed_at: string;
                } | null;
                collateral_value_usd: string;
                cure_amount_usd: string;
                cure_collateral_usd: string;
                /** Format: date-time */
                cure_deadline: string;
                /** Format: date-time */
                cured_at?: string;
                /**
                 * @description `correction`: by what the custodian holds, it should never have been raised
                 * @enum {string}
                 */
                cured_by?: "repayment" | "collateral" | "price" | "correction";
                /** @description What the custodian last answered or was read to hold */
                custodian: {
                    positions: {
                        asset: string;
                        quantity: string;
                    }[];
                    /** Format: date-time */
                    read_at: string;
                } | null;
                debt_usd: string;
                /** Format: date-time */
                escalated_at?: string;
                /** @description How far outages have moved the deadline */
                extended_seconds: number;
                facility_id: string;
                if_escalated?: {
                    sale_usd: string;
                    target_ltv: string;
                };
                /** @description At the latest prices, while the warning is open */
                latest_ltv?: string;
                /** @description As evaluated: at the highest value of the window */
                ltv_at_raise: string;
                number: number;
                /** Format: date-time */
                raised_at: string;
                /** @description Repayments that the borrower reported and the treasury has not confirmed */
                reported: {
                    amount: {
                        amount: string;
                        asset: string;
                    };
                    credit_usd: string;
                    /**
                     * Format: date-time
                     * @description Until then it holds the escalation
                     */
                    holds_until: string;
                    repayment_id: string;
                    /** Format: date-time */
                    reported_at: string;
                }[];
                /** @description Until the deadline, by the time of the tenant; below 0 after it */
                seconds_left: number;
                /** @enum {string} */
                status: "OPEN" | "CURED" | "ESCALATED";
                tenant_id: string;
                tier: number;
                /** @enum {string} */
                valuation_status: "FRESH" | "STALE";
                /**
                 * Format: date-time
                 * @description The deadline of its tiers alone; holds where the custodian does not confirm a critical loan
                 */
                window_deadline: string;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "id": "opr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "email": "ada@lender.example",
         *       "name": "Ada",
         *       "role": "risk"
         *     }
         */
        Operator: {
            email: string;
            id: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "reviewer" | "risk" | "admin";
        };
        /**
         * @example {
         *       "number": 42,
         *       "at": "2026-11-22T12:00:00.000Z",
         *       "actor": "ada@lender.example",
         *       "operator_id": "opr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "action": "borrowers.block",
         *       "subject": {
         *         "kind": "borrower",
         *         "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *       },
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "reason": "court order 12/2026",
         *       "before": {
         *         "blocked": false
         *       },
         *       "after": {
         *         "blocked": true
         *       },
         *       "request_id": null,
         *       "previous_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         *       "hash": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
         *     }
         */
        OperatorAction: {
            action: string;
            /** @description An operator's address at the time, or os: and the system's user */
            actor: string;
            after: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            at: string;
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Of the one before and all that this one says, except its own hash */
            hash: string;
            /** @description 1, 2, 3, … without a gap */
            number: number;
            operator_id: string | null;
            /** @description Of the action before, in hexadecimal */
            previous_hash: string;
            reason: string | null;
            request_id: string | null;
            subject: {
                id: string;
                kind: string;
            } | null;
            tenant_id: string | null;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "number": 42,
         *           "at": "2026-11-22T12:00:00.000Z",
         *           "actor": "ada@lender.example",
         *           "operator_id": "opr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "action": "borrowers.block",
         *           "subject": {
         *             "kind": "borrower",
         *             "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "reason": "court order 12/2026",
         *           "before": {
         *             "blocked": false
         *           },
         *           "after": {
         *             "blocked": true
         *           },
         *           "request_id": null,
         *           "previous_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         *           "hash": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        OperatorActionPage: {
            has_more: boolean;
            items: components["schemas"]["OperatorAction"][];
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
        OperatorProblem: {
            /** @enum {string} */
            code: "malformed_request" | "invalid_json" | "idempotency_key_missing" | "idempotency_key_invalid" | "cursor_invalid" | "signature_missing" | "signature_malformed" | "timestamp_out_of_range" | "signature_invalid" | "scope_missing" | "tenant_suspended" | "not_found" | "sandbox_only" | "method_not_allowed" | "request_timeout" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "headers_too_large" | "idempotency_in_progress" | "secret_not_retrievable" | "webhook_disabled" | "delivery_in_progress" | "recovery_in_progress" | "clock_advancing" | "limit_reached" | "facility_not_approved" | "facility_exists" | "borrower_not_eligible" | "draws_blocked" | "outstanding_balance" | "margin_warning_not_open" | "execution_already_reported" | "duplicate_reference" | "as_of_conflict" | "cursor_expired" | "validation_failed" | "idempotency_key_reused" | "contract_version_unknown" | "unsupported_asset" | "credit_limit_exceeded" | "url_not_allowed" | "as_of_in_future" | "residency_not_supported" | "rate_limited" | "internal" | "unavailable" | "price_unavailable" | "tenant_moving" | "session_required" | "link_invalid" | "cross_origin" | "passkey_required" | "passkey_invalid" | "already_exists" | "last_admin" | "oidc_refused" | "token_required" | "approval_not_open";
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
        Operators: {
            items: {
                /** Format: date-time */
                created_at: string;
                email: string;
                id: string;
                /** @description In a session of the desk that has not been signed out */
                last_seen_at: string | null;
                name: string;
                passkeys: number;
                /** @enum {string} */
                role: "viewer" | "reviewer" | "risk" | "admin";
            }[];
        };
        /**
         * @example {
         *       "token": "opi.Q2hhbmdlIG1lIGJlZm9yZSB5b3Ugc2hpcCBtZSEhISEhISE"
         *     }
         */
        OperatorSignInLinkInput: {
            token: string;
        };
        /**
         * @example {
         *       "id": "opt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "state": "active",
         *       "email": "ada@lender.example",
         *       "name": "laptop",
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "expires_at": "2027-01-31T00:00:00.000Z",
         *       "revoked_at": null
         *     }
         */
        OperatorToken: {
            /** Format: date-time */
            created_at: string;
            /** @description Of the operator that it acts as */
            email: string;
            /** Format: date-time */
            expires_at: string;
            id: string;
            name: string;
            revoked_at: string | null;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "opt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "state": "active",
         *           "email": "ada@lender.example",
         *           "name": "laptop",
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "expires_at": "2027-01-31T00:00:00.000Z",
         *           "revoked_at": null
         *         }
         *       ]
         *     }
         */
        OperatorTokens: {
            items: components["schemas"]["OperatorToken"][];
        };
        /**
         * @example {
         *       "outcome": "done",
         *       "approval_id": null,
         *       "expires_at": null
         *     }
         */
        Outcome: {
            approval_id: string | null;
            /** @description Of the proposal */
            expires_at: string | null;
            /**
             * @description proposed: another operator confirms it
             * @enum {string}
             */
            outcome: "done" | "proposed";
        };
        /**
         * @example {
         *       "table": "events",
         *       "kept_days": 90,
         *       "bytes": 81920,
         *       "next_drop": {
         *         "name": "events_2026_08",
         *         "at": "2026-11-30T00:00:00.000Z"
         *       },
         *       "partitions": [
         *         {
         *           "name": "events_2026_08",
         *           "from": "2026-08-01T00:00:00.000Z",
         *           "until": "2026-09-01T00:00:00.000Z",
         *           "bytes": 81920,
         *           "rows": 120
         *         }
         *       ]
         *     }
         */
        PartitionedTable: {
            /** @description On disk, with indexes */
            bytes: number;
            /** @description After the end of a partition; null: for good */
            kept_days: number | null;
            next_drop: {
                /**
                 * Format: date-time
                 * @description From then on
                 */
                at: string;
                name: string;
            } | null;
            partitions: {
                bytes: number;
                /** Format: date-time */
                from: string;
                name: string;
                /** @description As last estimated by the database */
                rows: number;
                /** Format: date-time */
                until: string;
            }[];
            table: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "table": "events",
         *           "kept_days": 90,
         *           "bytes": 81920,
         *           "next_drop": {
         *             "name": "events_2026_08",
         *             "at": "2026-11-30T00:00:00.000Z"
         *           },
         *           "partitions": [
         *             {
         *               "name": "events_2026_08",
         *               "from": "2026-08-01T00:00:00.000Z",
         *               "until": "2026-09-01T00:00:00.000Z",
         *               "bytes": 81920,
         *               "rows": 120
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        Partitions: {
            items: components["schemas"]["PartitionedTable"][];
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
            /** Format: date-time */
            created_at: string;
            id: string;
            last_used_at: string | null;
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "asset": "BTC",
         *           "price": "70000.00",
         *           "accepted_at": "2026-11-22T12:00:00.000Z",
         *           "age_seconds": 4,
         *           "spread": "0.000214",
         *           "quotes": [
         *             {
         *               "source": "coinbase",
         *               "price": "70000.00",
         *               "at": "2026-11-22T11:59:58.000Z",
         *               "age_seconds": 6
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        PriceSources: {
            items: {
                /** Format: date-time */
                accepted_at: string;
                /** @description Seconds */
                age_seconds: number;
                asset: string;
                price: string;
                quotes: {
                    /** @description Seconds */
                    age_seconds: number;
                    /** Format: date-time */
                    at: string;
                    price: string;
                    source: string;
                }[];
                /** @description From the lowest to the highest quote, as a share of the price */
                spread: string;
            }[];
        };
        /**
         * @example {
         *       "at": "2026-11-22T12:00:00.000Z",
         *       "items": [
         *         {
         *           "kind": "work_stuck",
         *           "severity": "ticket",
         *           "summary": "push-floor: 3 stuck, failed ten times or more."
         *         }
         *       ]
         *     }
         */
        Problems: {
            /** Format: date-time */
            at: string;
            items: {
                /** @enum {string} */
                kind: "worker_missing" | "work_overdue" | "provider_down" | "price_old" | "invariant_violated" | "key_missing" | "process_silent" | "versions_differ" | "redis_unreachable" | "deliveries_overdue" | "work_stuck" | "refunds_refused" | "webhooks_disabled" | "webhooks_failing" | "prices_differ" | "audit_late" | "audit_unfinished" | "partitions_missing";
                /**
                 * @description page: cannot wait until morning
                 * @enum {string}
                 */
                severity: "page" | "ticket";
                summary: string;
            }[];
        };
        /**
         * @example {
         *       "id": "01890a5d-ac96-774b-bcce-b302099a8057",
         *       "kind": "worker",
         *       "host": "worker-1",
         *       "version": "1.0.0",
         *       "schema": "0035-operations",
         *       "started_at": "2026-11-22T08:00:00.000Z",
         *       "reported_at": "2026-11-22T12:00:00.000Z",
         *       "age_seconds": 4,
         *       "silent": false,
         *       "redis": "ok",
         *       "connections": {
         *         "used": 2,
         *         "idle": 3,
         *         "waiting": 0
         *       },
         *       "key_ids": [
         *         "k2",
         *         "k1"
         *       ]
         *     }
         */
        Process: {
            /** @description Of its report, which it makes every 10 s */
            age_seconds: number;
            /** @description To the database */
            connections: {
                idle: number;
                used: number;
                waiting: number;
            };
            host: string;
            id: string;
            /** @description Encryption keys that it has; the first encrypts */
            key_ids: string[];
            /** @enum {string} */
            kind: "api" | "worker";
            /** @enum {string} */
            redis: "ok" | "unreachable";
            /** Format: date-time */
            reported_at: string;
            /** @description The newest migration that its build knows */
            schema: string;
            /** @description It has missed its last reports: hung, cut off or dead */
            silent: boolean;
            /** Format: date-time */
            started_at: string;
            version: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "01890a5d-ac96-774b-bcce-b302099a8057",
         *           "kind": "worker",
         *           "host": "worker-1",
         *           "version": "1.0.0",
         *           "schema": "0035-operations",
         *           "started_at": "2026-11-22T08:00:00.000Z",
         *           "reported_at": "2026-11-22T12:00:00.000Z",
         *           "age_seconds": 4,
         *           "silent": false,
         *           "redis": "ok",
         *           "connections": {
         *             "used": 2,
         *             "idle": 3,
         *             "waiting": 0
         *           },
         *           "key_ids": [
         *             "k2",
         *             "k1"
         *           ]
         *         }
         *       ]
         *     }
         */
        Processes: {
            items: components["schemas"]["Process"][];
        };
        /**
         * @example {
         *       "outcome": "proposed",
         *       "approval_id": "apr_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "expires_at": "2026-11-25T12:00:00.000Z",
         *       "preview": {
         *         "at": "2026-11-22T12:00:00.000Z",
         *         "warned_by_tier": {
         *           "1": 3,
         *           "2": 0,
         *           "3": 0
         *         },
         *         "warned_debt_usd": "120000.00",
         *         "worsened": 0,
         *         "sold": 0,
         *         "sold_debt_usd": "0.00",
         *         "relieved": 0
         *       }
         *     }
         */
        ProposedMarginPolicy: {
            approval_id: string | null;
            /** @description Of the proposal */
            expires_at: string | null;
            /**
             * @description proposed: another operator confirms it
             * @enum {string}
             */
            outcome: "done" | "proposed";
            /** @description What it would change in the book today */
            preview: {
                /** Format: date-time */
                at: string;
                relieved: number;
                sold: number;
                sold_debt_usd: string;
                warned_by_tier: {
                    1: number;
                    2: number;
                    3: number;
                };
                warned_debt_usd: string;
                worsened: number;
            };
        };
        /**
         * @example {
         *       "provider": "custodian",
         *       "breaker": "closed",
         *       "answered": 812,
         *       "failed": 3,
         *       "held_back": 0,
         *       "p50_ms": 50,
         *       "p95_ms": 250,
         *       "last_failure": {
         *         "outcome": "timeout",
         *         "at": "2026-11-22T11:58:00.000Z"
         *       },
         *       "processes": [
         *         {
         *           "process_id": "01890a5d-ac96-774b-bcce-b302099a8057",
         *           "breaker": "closed",
         *           "since": "2026-11-22T08:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        Provider: {
            /** @description Of the last five minutes, as the rest */
            answered: number;
            /**
             * @description The worst of all processes
             * @enum {string}
             */
            breaker: "closed" | "half_open" | "open";
            failed: number;
            /** @description Not sent, because a breaker was open */
            held_back: number;
            last_failure: {
                /** Format: date-time */
                at: string;
                outcome: string;
            } | null;
            /** @description The upper end of its class; null without calls, or above 15 s */
            p50_ms: number | null;
            /** @description The upper end of its class; null without calls, or above 15 s */
            p95_ms: number | null;
            processes: {
                /** @enum {string} */
                breaker: "closed" | "half_open" | "open";
                process_id: string;
                /** Format: date-time */
                since: string;
            }[];
            provider: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "provider": "custodian",
         *           "breaker": "closed",
         *           "answered": 812,
         *           "failed": 3,
         *           "held_back": 0,
         *           "p50_ms": 50,
         *           "p95_ms": 250,
         *           "last_failure": {
         *             "outcome": "timeout",
         *             "at": "2026-11-22T11:58:00.000Z"
         *           },
         *           "processes": [
         *             {
         *               "process_id": "01890a5d-ac96-774b-bcce-b302099a8057",
         *               "breaker": "closed",
         *               "since": "2026-11-22T08:00:00.000Z"
         *             }
         *           ]
         *         }
         *       ],
         *       "oldest_report_seconds": 7
         *     }
         */
        Providers: {
            items: components["schemas"]["Provider"][];
            /** @description Null where no process reports */
            oldest_report_seconds: number | null;
        };
        /**
         * @example {
         *       "worker_seen_at": "2026-11-22T12:00:00.000Z",
         *       "running": 4,
         *       "classes": [
         *         {
         *           "name": "floors",
         *           "ready": 2,
         *           "oldest_seconds": 1
         *         }
         *       ],
         *       "deliveries": {
         *         "due": 12,
         *         "webhooks": 3,
         *         "oldest_seconds": 2
         *       }
         *     }
         */
        QueueLag: {
            classes: {
                name: string;
                /** @description How long the oldest has been due; 0 when nothing is */
                oldest_seconds: number;
                /** @description Counted to 10000 */
                ready: number;
            }[];
            deliveries: {
                /** @description Counted to 10000 */
                due: number;
                /** @description How long the oldest has been due; 0 when nothing is */
                oldest_seconds: number;
                webhooks: number;
            };
            /** @description Pieces of work that workers hold */
            running: number;
            /** @description Null before the first worker */
            worker_seen_at: string | null;
        };
        /**
         * @example {
         *       "id": "rfd_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "amount": {
         *         "amount": "500.00",
         *         "asset": "USD"
         *       },
         *       "destination": "account-1",
         *       "refusals": 2,
         *       "payment_under_way": false,
         *       "created_at": "2026-11-22T12:00:00.000Z"
         *     }
         */
        RefusedRefund: {
            amount: {
                amount: string;
                asset: string;
            };
            /** Format: date-time */
            created_at: string;
            destination: string;
            facility_id: string;
            id: string;
            /** @description It may still be paid, so it cannot be redirected */
            payment_under_way: boolean;
            refusals: number;
            tenant_id: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "rfd_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "amount": {
         *             "amount": "500.00",
         *             "asset": "USD"
         *           },
         *           "destination": "account-1",
         *           "refusals": 2,
         *           "payment_under_way": false,
         *           "created_at": "2026-11-22T12:00:00.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        RefusedRefundPage: {
            has_more: boolean;
            items: components["schemas"]["RefusedRefund"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "requested": true
         *     }
         */
        RequestedAudit: {
            /** @description False where one was requested already */
            requested: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "US-CA/individual",
         *           "country": "US",
         *           "state": "CA",
         *           "borrower_type": "individual",
         *           "allowed": true,
         *           "rate": "0.095",
         *           "max_limit_usd": "250000.00"
         *         }
         *       ]
         *     }
         */
        ResidencyPolicy: {
            items: components["schemas"]["ResidencyRule"][];
        };
        /**
         * @example {
         *       "id": "US-CA/individual",
         *       "country": "US",
         *       "state": "CA",
         *       "borrower_type": "individual",
         *       "allowed": true,
         *       "rate": "0.095",
         *       "max_limit_usd": "250000.00"
         *     }
         */
        ResidencyRule: {
            allowed: boolean;
            /** @enum {string} */
            borrower_type: "individual" | "business";
            country: string;
            /** @description The subject of its changes in the list of actions */
            id: string;
            /** @description null: the service's maximum */
            max_limit_usd: string | null;
            /** @description Annual; null: the service's default */
            rate: string | null;
            /** @description null: the whole country */
            state: string | null;
        };
        /**
         * @example {
         *       "retried": 3
         *     }
         */
        RetriedWork: {
            retried: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "check_id": "chk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "kind": "aml",
         *           "waiting_since": "2026-11-22T12:00:00.000Z",
         *           "full_name": "Grace Example",
         *           "note": "score 0.82 on one list"
         *         }
         *       ],
         *       "signatures": [
         *         {
         *           "signature_id": "sig_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "full_name": "Grace Example",
         *           "email": "grace@example.com",
         *           "ip_address": "192.0.2.1"
         *         }
         *       ]
         *     }
         */
        Revealed: {
            /** @description The checks that wait */
            items: {
                check_id: string;
                full_name: string;
                /** @enum {string} */
                kind: "kyc" | "kyb" | "aml";
                note: string | null;
                /** Format: date-time */
                waiting_since: string;
            }[];
            /** @description Who signed */
            signatures: {
                email: string;
                full_name: string;
                ip_address: string;
                signature_id: string;
            }[];
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "tenant_name": "Acme",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "borrower_type": "individual",
         *       "residency": "US-CA",
         *       "check_id": "chk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "kind": "aml",
         *       "waiting_since": "2026-11-22T12:00:00.000Z",
         *       "waited_seconds": 5400
         *     }
         */
        Review: {
            borrower_id: string;
            /** @enum {string} */
            borrower_type: "individual" | "business";
            check_id: string;
            /** @enum {string} */
            kind: "kyc" | "kyb" | "aml";
            /** @description Country, or country and state */
            residency: string;
            tenant_id: string;
            tenant_name: string;
            /** @description By the tenant's own clock */
            waited_seconds: number;
            /** Format: date-time */
            waiting_since: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "tenant_name": "Acme",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "borrower_type": "individual",
         *           "residency": "US-CA",
         *           "check_id": "chk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "kind": "aml",
         *           "waiting_since": "2026-11-22T12:00:00.000Z",
         *           "waited_seconds": 5400
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        ReviewPage: {
            has_more: boolean;
            items: components["schemas"]["Review"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "today": {
         *         "prices": "BTC 100000, ETH 4000, USDC 1",
         *         "total": {
         *           "facilities": 5,
         *           "debt_usd": "211000.00",
         *           "collateral_value_usd": "401800.00",
         *           "warned_by_tier": {
         *             "1": 0,
         *             "2": 0,
         *             "3": 0
         *           },
         *           "warned_alike_today": 0,
         *           "held": 0,
         *           "escalated_as_critical": 0,
         *           "escalated_by_deadline": 0,
         *           "in_margin_call": 0,
         *           "cured": 0,
         *           "not_evaluated": 0,
         *           "nothing_to_sell": {
         *             "facilities": 0,
         *             "debt_usd": "0.00"
         *           },
         *           "sold_at_once": {
         *             "gross_usd": "0.00",
         *             "costs_usd": "0.00",
         *             "deficits": 0,
         *             "deficit_usd": "0.00"
         *           },
         *           "if_uncured": {
         *             "gross_usd": "0.00",
         *             "costs_usd": "0.00",
         *             "deficits": 0,
         *             "deficit_usd": "0.00"
         *           }
         *         },
         *         "tenants": [],
         *         "main_collateral": [],
         *         "sold": [],
         *         "sold_if_uncured": []
         *       },
         *       "stressed": {
         *         "prices": "BTC 60000 (-40 %), ETH 4000, USDC 1",
         *         "total": {
         *           "facilities": 5,
         *           "debt_usd": "211000.00",
         *           "collateral_value_usd": "242800.00",
         *           "warned_by_tier": {
         *             "1": 1,
         *             "2": 0,
         *             "3": 1
         *           },
         *           "warned_alike_today": 0,
         *           "held": 0,
         *           "escalated_as_critical": 2,
         *           "escalated_by_deadline": 0,
         *           "in_margin_call": 0,
         *           "cured": 0,
         *           "not_evaluated": 0,
         *           "nothing_to_sell": {
         *             "facilities": 0,
         *             "debt_usd": "0.00"
         *           },
         *           "sold_at_once": {
         *             "gross_usd": "100291.16",
         *             "costs_usd": "2005.83",
         *             "deficits": 1,
         *             "deficit_usd": "11200.00"
         *           },
         *           "if_uncured": {
         *             "gross_usd": "0.00",
         *             "costs_usd": "0.00",
         *             "deficits": 0,
         *             "deficit_usd": "0.00"
         *           }
         *         },
         *         "tenants": [],
         *         "main_collateral": [],
         *         "sold_if_uncured": [],
         *         "sold": [
         *           {
         *             "asset": "BTC",
         *             "quantity": "1.6",
         *             "gross_usd": "100291.16",
         *             "costs_usd": "2005.83"
         *           }
         *         ]
         *       }
         *     }
         */
        StressComparison: {
            stressed: {
                main_collateral: {
                    asset?: string;
                    collateral_value_usd: string;
                    cured: number;
                    debt_usd: string;
                    escalated_as_critical: number;
                    escalated_by_deadline: number;
                    facilities: number;
                    /** @description Past their deadline; a reported repayment holds the escalation */
                    held: number;
                    /** @description What the warned would add if every deadline passed */
                    if_uncured: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    in_margin_call: number;
                    /** @description With old or missing prices */
                    not_evaluated: number;
                    nothing_to_sell: {
                        debt_usd: string;
                        facilities: number;
                    };
                    sold_at_once: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    /** @description Of the warned, those with a warning of this tier already */
                    warned_alike_today: number;
                    warned_by_tier: {
                        1: number;
                        2: number;
                        3: number;
                    };
                }[];
                /** @description The prices that were used */
                prices: string;
                sold: {
                    asset: string;
                    costs_usd: string;
                    gross_usd: string;
                    quantity: string;
                }[];
                sold_if_uncured: {
                    asset: string;
                    costs_usd: string;
                    gross_usd: string;
                    quantity: string;
                }[];
                tenants: {
                    collateral_value_usd: string;
                    cured: number;
                    debt_usd: string;
                    escalated_as_critical: number;
                    escalated_by_deadline: number;
                    facilities: number;
                    /** @description Past their deadline; a reported repayment holds the escalation */
                    held: number;
                    /** @description What the warned would add if every deadline passed */
                    if_uncured: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    in_margin_call: number;
                    /** @description With old or missing prices */
                    not_evaluated: number;
                    nothing_to_sell: {
                        debt_usd: string;
                        facilities: number;
                    };
                    sold_at_once: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    tenant_id: string;
                    /** @description Of the warned, those with a warning of this tier already */
                    warned_alike_today: number;
                    warned_by_tier: {
                        1: number;
                        2: number;
                        3: number;
                    };
                }[];
                total: {
                    collateral_value_usd: string;
                    cured: number;
                    debt_usd: string;
                    escalated_as_critical: number;
                    escalated_by_deadline: number;
                    facilities: number;
                    /** @description Past their deadline; a reported repayment holds the escalation */
                    held: number;
                    /** @description What the warned would add if every deadline passed */
                    if_uncured: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    in_margin_call: number;
                    /** @description With old or missing prices */
                    not_evaluated: number;
                    nothing_to_sell: {
                        debt_usd: string;
                        facilities: number;
                    };
                    sold_at_once: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    /** @description Of the warned, those with a warning of this tier already */
                    warned_alike_today: number;
                    warned_by_tier: {
                        1: number;
                        2: number;
                        3: number;
                    };
                };
            };
            today: {
                main_collateral: {
                    asset?: string;
                    collateral_value_usd: string;
                    cured: number;
                    debt_usd: string;
                    escalated_as_critical: number;
                    escalated_by_deadline: number;
                    facilities: number;
                    /** @description Past their deadline; a reported repayment holds the escalation */
                    held: number;
                    /** @description What the warned would add if every deadline passed */
                    if_uncured: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    in_margin_call: number;
                    /** @description With old or missing prices */
                    not_evaluated: number;
                    nothing_to_sell: {
                        debt_usd: string;
                        facilities: number;
                    };
                    sold_at_once: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    /** @description Of the warned, those with a warning of this tier already */
                    warned_alike_today: number;
                    warned_by_tier: {
                        1: number;
                        2: number;
                        3: number;
                    };
                }[];
                /** @description The prices that were used */
                prices: string;
                sold: {
                    asset: string;
                    costs_usd: string;
                    gross_usd: string;
                    quantity: string;
                }[];
                sold_if_uncured: {
                    asset: string;
                    costs_usd: string;
                    gross_usd: string;
                    quantity: string;
                }[];
                tenants: {
                    collateral_value_usd: string;
                    cured: number;
                    debt_usd: string;
                    escalated_as_critical: number;
                    escalated_by_deadline: number;
                    facilities: number;
                    /** @description Past their deadline; a reported repayment holds the escalation */
                    held: number;
                    /** @description What the warned would add if every deadline passed */
                    if_uncured: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    in_margin_call: number;
                    /** @description With old or missing prices */
                    not_evaluated: number;
                    nothing_to_sell: {
                        debt_usd: string;
                        facilities: number;
                    };
                    sold_at_once: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    tenant_id: string;
                    /** @description Of the warned, those with a warning of this tier already */
                    warned_alike_today: number;
                    warned_by_tier: {
                        1: number;
                        2: number;
                        3: number;
                    };
                }[];
                total: {
                    collateral_value_usd: string;
                    cured: number;
                    debt_usd: string;
                    escalated_as_critical: number;
                    escalated_by_deadline: number;
                    facilities: number;
                    /** @description Past their deadline; a reported repayment holds the escalation */
                    held: number;
                    /** @description What the warned would add if every deadline passed */
                    if_uncured: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    in_margin_call: number;
                    /** @description With old or missing prices */
                    not_evaluated: number;
                    nothing_to_sell: {
                        debt_usd: string;
                        facilities: number;
                    };
                    sold_at_once: {
                        costs_usd: string;
                        deficit_usd: string;
                        deficits: number;
                        gross_usd: string;
                    };
                    /** @description Of the warned, those with a warning of this tier already */
                    warned_alike_today: number;
                    warned_by_tier: {
                        1: number;
                        2: number;
                        3: number;
                    };
                };
            };
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "topic": "evaluate-borrower",
         *       "subject_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "attempts": 12,
         *       "failing_since": "2026-11-22T12:00:00.000Z",
         *       "error": "the provider did not answer within 10 s"
         *     }
         */
        StuckWork: {
            attempts: number;
            error: string;
            /** Format: date-time */
            failing_since: string;
            subject_id: string;
            tenant_id: string;
            topic: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "topic": "evaluate-borrower",
         *           "subject_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "attempts": 12,
         *           "failing_since": "2026-11-22T12:00:00.000Z",
         *           "error": "the provider did not answer within 10 s"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        StuckWorkPage: {
            has_more: boolean;
            items: components["schemas"]["StuckWork"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "name": "Acme Exchange",
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "suspended": null
         *     }
         */
        Tenant: {
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
            /** @description null: it may write */
            suspended: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
        };
        /**
         * @example {
         *       "contract_type": "master_loan_agreement",
         *       "contract_version": "2026-11",
         *       "title": "Master Loan Agreement",
         *       "download_url": "https://example.com/mla-2026-11.pdf",
         *       "content_type": "application/pdf",
         *       "published_at": "2026-11-22T12:00:00.000Z",
         *       "superseded_at": null,
         *       "retired_at": null
         *     }
         */
        TenantDocument: {
            content_type: string;
            contract_type: string;
            contract_version: string;
            download_url: string;
            /** Format: date-time */
            published_at: string;
            retired_at: string | null;
            superseded_at: string | null;
            title: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "contract_type": "master_loan_agreement",
         *           "contract_version": "2026-11",
         *           "title": "Master Loan Agreement",
         *           "download_url": "https://example.com/mla-2026-11.pdf",
         *           "content_type": "application/pdf",
         *           "published_at": "2026-11-22T12:00:00.000Z",
         *           "superseded_at": null,
         *           "retired_at": null
         *         }
         *       ]
         *     }
         */
        TenantDocuments: {
            items: components["schemas"]["TenantDocument"][];
        };
        /**
         * @example {
         *       "id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "state": "active",
         *       "label": "production",
         *       "scopes": [
         *         "borrower:read"
         *       ],
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "expires_at": null,
         *       "revoked_at": null,
         *       "last_used_at": null
         *     }
         */
        TenantKey: {
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            id: string;
            label: string;
            /** @description To the minute */
            last_used_at: string | null;
            revoked_at: string | null;
            scopes: string[];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "key_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "state": "active",
         *           "label": "production",
         *           "scopes": [
         *             "borrower:read"
         *           ],
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "expires_at": null,
         *           "revoked_at": null,
         *           "last_used_at": null
         *         }
         *       ]
         *     }
         */
        TenantKeys: {
            items: components["schemas"]["TenantKey"][];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "name": "Acme Exchange",
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "suspended": null
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        TenantPage: {
            has_more: boolean;
            items: {
                /** Format: date-time */
                created_at: string;
                id: string;
                name: string;
                /** @description null: it may write */
                suspended: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "email": "ada@example.com",
         *           "name": "Ada",
         *           "role": "admin",
         *           "passkeys": 1,
         *           "created_at": "2026-11-22T12:00:00.000Z",
         *           "last_seen_at": null
         *         }
         *       ]
         *     }
         */
        TenantPeople: {
            items: components["schemas"]["TenantPerson"][];
        };
        /**
         * @example {
         *       "id": "per_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "role": "admin",
         *       "passkeys": 1,
         *       "created_at": "2026-11-22T12:00:00.000Z",
         *       "last_seen_at": null
         *     }
         */
        TenantPerson: {
            /** Format: date-time */
            created_at: string;
            email: string;
            id: string;
            last_seen_at: string | null;
            name: string;
            passkeys: number;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "at": "2026-11-20T12:01:00.000Z",
         *           "source": "decision",
         *           "summary": "Warning raised at tier 1, to cure until 2026-11-22T12:01:00.000Z: 50000.00 USD was owed, and at the best prices of the window the collateral counted 67900.00 USD: an LTV of 0.736378, above 0.7.",
         *           "warning_number": 1,
         *           "call_number": null,
         *           "repayment_id": null,
         *           "order": null,
         *           "decision": {
         *             "number": 1,
         *             "kind": "raise",
         *             "decided_at": "2026-11-20T12:01:00.000Z",
         *             "facts": {
         *               "outcome": {
         *                 "tier": 1,
         *                 "cure_deadline": "2026-11-22T12:01:00.000Z"
         *               },
         *               "trigger": "price",
         *               "debt": {
         *                 "principal_usd": "50000.00",
         *                 "interest_usd": "0.00",
         *                 "total_usd": "50000.00",
         *                 "rate": "0.1"
         *               },
         *               "values": {
         *                 "highest_usd": "67900.00",
         *                 "lowest_usd": "67900.00",
         *                 "latest_usd": "67900.00"
         *               },
         *               "positions": [
         *                 {
         *                   "asset": "BTC",
         *                   "quantity": "1",
         *                   "haircut": "0.03",
         *                   "value_usd": "67900.00"
         *                 }
         *               ],
         *               "rounds": [
         *                 [
         *                   {
         *                     "asset": "BTC",
         *                     "price_usd": "70000",
         *                     "accepted_at": "2026-11-20T12:00:00.000Z",
         *                     "sources": []
         *                   }
         *                 ],
         *                 [
         *                   {
         *                     "asset": "BTC",
         *                     "price_usd": "70000",
         *                     "accepted_at": "2026-11-20T12:01:00.000Z",
         *                     "sources": []
         *                   }
         *                 ]
         *               ],
         *               "reported": [],
         *               "policy": {
         *                 "version": "2026-11",
         *                 "floor_ltv": "0.7",
         *                 "cure_ltv": "0.6",
         *                 "tiers": [
         *                   {
         *                     "tier": 1,
         *                     "above_ltv": "0.7",
         *                     "cure_seconds": 172800
         *                   }
         *                 ],
         *                 "critical_ltv": "0.83",
         *                 "confirm_seconds": 60,
         *                 "flicker_seconds": 600,
         *                 "least_usd": "10.00"
         *               }
         *             },
         *             "summary": "Warning raised at tier 1, to cure until 2026-11-22T12:01:00.000Z: 50000.00 USD was owed, and at the best prices of the window the collateral counted 67900.00 USD: an LTV of 0.736378, above 0.7.",
         *             "recorded": "raise to tier 1 until 2026-11-22T12:01:00.000Z",
         *             "recomputed": "raise to tier 1 until 2026-11-22T12:01:00.000Z",
         *             "agrees": true
         *           }
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        TimelinePage: {
            has_more: boolean;
            items: {
                /** Format: date-time */
                at: string;
                call_number: number | null;
                decision: {
                    /** @description false: the record is wrong */
                    agrees: boolean;
                    /** Format: date-time */
                    decided_at: string;
                    /** @description All inputs of the decision, and its result */
                    facts: {
                        /** @description What the warning was raised on, by the positions of the custodian */
                        at_raise?: {
                            debt_usd: string;
                            highest_usd: string;
                        };
                        debt: {
                            interest_usd: string;
                            principal_usd: string;
                            rate: string;
                            total_usd: string;
                        };
                        last_cure?: {
                            /** Format: date-time */
                            cured_at: string;
                            seconds_left: number;
                        };
                        outcome: {
                            /** Format: date-time */
                            cure_deadline?: string;
                            /** @enum {string} */
                            cured_by?: "repayment" | "collateral" | "price" | "correction";
                            /** @enum {string} */
                            reason?: "deadline" | "critical";
                            tier?: number;
                        };
                        policy: {
                            confirm_seconds: number;
                            critical_ltv: string;
                            cure_ltv: string;
                            /** @description How long after the deadline the window may be undecided */
                            flicker_seconds: number;
                            floor_ltv: string;
                            least_usd: string;
                            tiers: {
                                above_ltv: string;
                                cure_seconds: number;
                                tier: number;
                            }[];
                            version: string;
                        };
                        /** @description At the latest round; for an escalation as confirmed by the custodian */
                        positions: {
                            asset: string;
                            /** @description What counts towards a cure, where it is less */
                            cure_quantity?: string;
                            haircut?: string;
                            quantity: string;
                            value_usd: string;
                        }[];
                        /** @description The newest push, and whether the custodian has answered about it */
                        push?: {
                            /**
                             * Format: date-time
                             * @description The positions are then those of the custodian
                             */
                            answered_at?: string;
                            /** Format: date-time */
                            asked_since?: string;
                            /** Format: date-time */
                            received_at: string;
                        };
                        /** @description Repayments reported in time and not confirmed yet */
                        reported: {
                            amount_usd: string;
                            /** Format: date-time */
                            holds_until: string;
                        }[];
                        /** @description Prices of the rounds that were evaluated, oldest first */
                        rounds: {
                            /** Format: date-time */
                            accepted_at: string;
                            asset: string;
                            price_usd: string;
                            /** @description The quote of each venue; none where the sandbox set the price */
                            sources: {
                                /** Format: date-time */
                                at: string;
                                price_usd: string;
                                source: string;
                            }[];
                        }[][];
                        /**
                         * @description What triggered the evaluation
                         * @enum {string}
                         */
                        trigger: "repayment" | "collateral" | "price";
                        /** @description Value of the positions at the rounds; absent where prices were not used */
                        values?: {
                            highest_usd: string;
                            latest_usd: string;
                            lowest_usd: string;
                        };
                        /** @description The warning before this decision */
                        warning?: {
                            /** Format: date-time */
                            cure_deadline: string;
                            tier: number;
                            /**
                             * Format: date-time
                             * @description The deadline of its tiers without extensions
                             */
                            window_deadline: string;
                        };
                    };
                    /** @enum {string} */
                    kind: "raise" | "worsen" | "cure" | "escalate";
                    number: number;
                    /** @description Its outcome, decided again from the recorded inputs */
                    recomputed: string;
                    /** @description Its outcome, as it is on record */
                    recorded: string;
                    /** @description The decision in words */
                    summary: string;
                } | null;
                order: {
                    /** @description When the custodian accepted it */
                    acknowledged_at: string | null;
                    asset: string;
                    fill: {
                        costs_usd: string;
                        /** Format: date-time */
                        executed_at: string;
                        proceeds_usd: string;
                        quantity: string;
                    } | null;
                    /** @description Taken as it is, without a sale */
                    in_kind: boolean;
                    number: number;
                    /** Format: date-time */
                    ordered_at: string;
                    quantity: string;
                    /** @enum {string} */
                    status: "ORDERED" | "FILLED" | "REFUSED";
                } | null;
                repayment_id: string | null;
                /** @enum {string} */
                source: "repayment_requested" | "repayment_reported" | "repayment_confirmed" | "decision" | "call_started" | "order_placed" | "order_filled" | "call_ended";
                /** @description What happened, in words */
                summary: string;
                warning_number: number | null;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "tenant_name": "Acme",
         *       "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "origin": "https://hooks.acme.example",
         *       "state": "active",
         *       "failed_attempts": 31,
         *       "disabled_at": null,
         *       "oldest_due_at": "2026-11-22T11:00:00.000Z",
         *       "last_attempt": {
         *         "at": "2026-11-22T11:59:00.000Z",
         *         "answer": "503"
         *       }
         *     }
         */
        TroubledWebhook: {
            disabled_at: string | null;
            /** @description In a row; the hundredth disables it */
            failed_attempts: number;
            last_attempt: {
                /** @description A status, or an error */
                answer: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description Of its deliveries that are due */
            oldest_due_at: string | null;
            /** @description Without path and query, which may hold a secret */
            origin: string;
            /** @enum {string} */
            state: "active" | "disabled";
            tenant_id: string;
            tenant_name: string;
            webhook_id: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "tenant_name": "Acme",
         *           "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "origin": "https://hooks.acme.example",
         *           "state": "active",
         *           "failed_attempts": 31,
         *           "disabled_at": null,
         *           "oldest_due_at": "2026-11-22T11:00:00.000Z",
         *           "last_attempt": {
         *             "at": "2026-11-22T11:59:00.000Z",
         *             "answer": "503"
         *           }
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        TroubledWebhookPage: {
            has_more: boolean;
            items: components["schemas"]["TroubledWebhook"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "tenant_id": "ten_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "tenant_name": "Acme",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "limit": {
         *         "amount": "20000.00",
         *         "asset": "USD"
         *       },
         *       "waiting_since": "2026-11-22T12:00:00.000Z",
         *       "waited_seconds": 5400,
         *       "waits_for": "portfolio_missing",
         *       "error": null,
         *       "decided_by": "2026-11-23T12:00:00.000Z"
         *     }
         */
        WaitingApplication: {
            borrower_id: string;
            /**
             * Format: date-time
             * @description By then it is decided with what is known
             */
            decided_by: string;
            /** @description Of the last try, where it failed */
            error: string | null;
            facility_id: string;
            limit: {
                amount: string;
                asset: string;
            };
            tenant_id: string;
            tenant_name: string;
            /** @description By the tenant's own clock */
            waited_seconds: number;
            /** Format: date-time */
            waiting_since: string;
            /** @enum {string} */
            waits_for: "portfolio_missing" | "portfolio_stale" | "reading_missing" | "reading_stale" | "attempt_failed" | "control" | "price" | "next_attempt";
        };
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
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listActions: {
        parameters: {
            query?: {
                /** @description Of one actor, as written in `actor` */
                actor?: string;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @description About one thing */
                subject_id?: string;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
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
                    "application/json": components["schemas"]["OperatorActionPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: number;
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
                    "application/json": components["schemas"]["OperatorAction"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
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
                    "application/json": components["schemas"]["ApplicationPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @description pending: soonest to expire first; all: newest first */
                status?: "pending" | "all";
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
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getApproval: {
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
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    confirmApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
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
                    "application/json": components["schemas"]["DecidedApproval"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `approval_not_open`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "not before the hearing"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["DecidedApproval"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `approval_not_open`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getLastAudit: {
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
                    "application/json": components["schemas"]["LastAudit"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    requestAudit: {
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
                /**
                 * @example {
                 *       "reason": "the disk was full at noon"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["RequestedAudit"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getBook: {
        parameters: {
            query?: {
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
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
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listBookFacilities: {
        parameters: {
            query?: {
                /**
                 * @description Exclusive
                 * @example 0.700000
                 */
                above_ltv?: string;
                /**
                 * @description Held as collateral; `collateral` then counts this asset alone
                 * @example BTC
                 */
                asset?: "USD" | "BTC" | "ETH" | "USDC";
                /** @example bor_01k9x4m2q8e0tb7f2v5j6h8n3c */
                borrower_id?: string;
                /**
                 * @description The borrower's
                 * @example DE
                 */
                country?: string;
                /**
                 * @description The figure that the facilities make up
                 * @example deficits
                 */
                figure?: "exposure" | "collateral" | "commitments" | "warnings" | "margin_calls" | "deficits" | "stale" | "interest" | "charged_off";
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
                /** @description Of the open warning */
                tier?: "1" | "2" | "3";
                /**
                 * @description Inclusive
                 * @example 0.750000
                 */
                to_ltv?: string;
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
                    "application/json": components["schemas"]["BookFacilities"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listBlockedBorrowers: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
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
                    "application/json": components["schemas"]["BlockedBorrowerPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    startConfirmation: {
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
                 *       "act": "invite"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    act: "invite" | "create_token";
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
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listEncryptionKeys: {
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
                    "application/json": components["schemas"]["EncryptionKeys"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listMarginPolicyVersions: {
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
                    "application/json": components["schemas"]["MarginPolicyVersions"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    proposeMarginPolicy: {
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
                /**
                 * @example {
                 *       "terms": {
                 *         "haircuts": {
                 *           "ETH": "0.10"
                 *         }
                 *       },
                 *       "effective_from": "2026-12-01T00:00:00Z",
                 *       "reason": "volatility of ETH"
                 *     }
                 */
                "application/json": {
                    effective_from: string;
                    /** @description Why, for the record */
                    reason: string;
                    terms: components["schemas"]["MarginTermsInput"];
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
                    "application/json": components["schemas"]["ProposedMarginPolicy"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    withdrawMarginPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "contract ended"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listMarginCalls: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                status?: "running" | "ended";
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
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
                    "application/json": components["schemas"]["DeskCallPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    stressBook: {
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
                 *       "prices": [
                 *         {
                 *           "asset": "BTC",
                 *           "change_percent": "-40"
                 *         }
                 *       ],
                 *       "policy": {
                 *         "haircuts": {
                 *           "BTC": "0.05"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    policy?: components["schemas"]["MarginTermsInput"];
                    /** @description An asset that is not named keeps its last price */
                    prices?: {
                        /** @enum {string} */
                        asset: "BTC" | "ETH" | "USDC";
                        /**
                         * @description Of the last accepted price
                         * @example -40
                         */
                        change_percent?: string;
                        /**
                         * @description A new price
                         * @example 70000.00
                         */
                        price_usd?: string;
                    }[];
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
                    "application/json": components["schemas"]["StressComparison"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listOpenWarnings: {
        parameters: {
            query?: {
                /**
                 * @description With a deadline before it
                 * @example 2026-11-22T12:00:00Z
                 */
                due_before?: string;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
                tier?: "1" | "2" | "3";
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
                    "application/json": components["schemas"]["OpenWarningPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getMe: {
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
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listProblems: {
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
                    "application/json": components["schemas"]["Problems"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listOperators: {
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
                    "application/json": components["schemas"]["Operators"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    inviteOperator: {
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
                /**
                 * @example {
                 *       "email": "ada@lender.example",
                 *       "name": "Ada",
                 *       "role": "risk"
                 *     }
                 */
                "application/json": {
                    /** @description In a session, by a passkey of your own; needed once you have one */
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
                    /** @description Why, for the record */
                    reason?: string;
                    /** @enum {string} */
                    role: "viewer" | "reviewer" | "risk" | "admin";
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
                    "application/json": components["schemas"]["InvitedOperator"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_invalid`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `already_exists`, `limit_reached`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    changeOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason?: string;
                    /** @enum {string} */
                    role: "viewer" | "reviewer" | "risk" | "admin";
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
                    "application/json": components["schemas"]["Operator"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `last_admin`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    inviteOperatorAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In a session, by a passkey of your own; needed once you have one */
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
                    /** @description Why, for the record */
                    reason?: string;
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
                    "application/json": components["schemas"]["InvitedOperator"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_invalid`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    removeOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "left"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Removed; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `last_admin`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listPartitions: {
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
                    "application/json": components["schemas"]["Partitions"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required`, `passkey_invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `already_exists`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listPriceSources: {
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
                    "application/json": components["schemas"]["PriceSources"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listProcesses: {
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
                    "application/json": components["schemas"]["Processes"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listProviders: {
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
                    "application/json": components["schemas"]["Providers"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getQueueLag: {
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
                    "application/json": components["schemas"]["QueueLag"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listRefusedRefunds: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
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
                    "application/json": components["schemas"]["RefusedRefundPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listResidencyRules: {
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
                    "application/json": components["schemas"]["ResidencyPolicy"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    setResidencyRule: {
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
                /**
                 * @example {
                 *       "country": "US",
                 *       "state": "CA",
                 *       "borrower_type": "individual",
                 *       "allowed": true,
                 *       "rate": "0.095",
                 *       "max_limit_usd": "250000.00",
                 *       "reason": "licence of 3 November"
                 *     }
                 */
                "application/json": {
                    allowed: boolean;
                    /** @enum {string} */
                    borrower_type: "individual" | "business";
                    country: string;
                    max_limit_usd?: string;
                    rate?: string;
                    /** @description Why, for the record */
                    reason: string;
                    state?: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                kind?: "kyc" | "kyb" | "aml";
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
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
                    "application/json": components["schemas"]["ReviewPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
                    "application/json": components["schemas"]["DeskSession"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
                "application/json": components["schemas"]["OperatorSignInLinkInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeskSession"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `link_invalid`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
                    "application/json": components["schemas"]["DeskSession"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `session_required`, `token_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
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
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
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
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    createTenant: {
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
                /**
                 * @example {
                 *       "name": "Acme Exchange",
                 *       "reason": "contract of 3 November"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: string;
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
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getBorrowerFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: string;
                tenant_id: string;
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
                    "application/json": components["schemas"]["BorrowerFile"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    approveBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                borrower_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "passport seen on 3 November"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    blockBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                borrower_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "passport seen on 3 November"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    rejectBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                borrower_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "passport seen on 3 November"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    revealReviews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "passport seen on 3 November"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Revealed"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    unblockBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                borrower_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "passport seen on 3 November"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listTenantDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: string;
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
                    "application/json": components["schemas"]["TenantDocuments"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    publishTenantDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contract_type": "master_loan_agreement",
                 *       "contract_version": "2026-11",
                 *       "title": "Master Loan Agreement",
                 *       "download_url": "https://example.com/mla-2026-11.pdf",
                 *       "content_type": "application/pdf",
                 *       "reason": "new rates"
                 *     }
                 */
                "application/json": {
                    /** @default application/pdf */
                    content_type?: string;
                    contract_type: string;
                    contract_version: string;
                    download_url: string;
                    /** @description Why, for the record */
                    reason: string;
                    title: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    retireTenantDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contract_type": "master_loan_agreement",
                 *       "contract_version": "2026-11",
                 *       "reason": "published by mistake"
                 *     }
                 */
                "application/json": {
                    contract_type: string;
                    contract_version: string;
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getFacility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: string;
                tenant_id: string;
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
                    "application/json": components["schemas"]["MarginFacility"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getMarginCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: string;
                number: number;
                tenant_id: string;
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
                    "application/json": components["schemas"]["DeskCall"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    getMarginWarning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: string;
                number: number;
                tenant_id: string;
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
                    "application/json": components["schemas"]["ExplainedWarning"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                facility_id: string;
                tenant_id: string;
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
                    "application/json": components["schemas"]["TimelinePage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listTenantKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: string;
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
                    "application/json": components["schemas"]["TenantKeys"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    revokeTenantKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                key_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "contract ended"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listTenantPeople: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: string;
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
                    "application/json": components["schemas"]["TenantPeople"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    inviteTenantPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "role": "admin",
                 *       "reason": "first admin"
                 *     }
                 */
                "application/json": {
                    email: string;
                    name: string;
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["InvitedTenantPerson"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `last_admin`, `limit_reached`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    removeTenantPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                person_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "contract ended"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `last_admin`, `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    redirectRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                refund_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "account-2",
                 *       "reason": "account closed"
                 *     }
                 */
                "application/json": {
                    destination: string;
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    resumeTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "contract ended"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    suspendTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "contract ended"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
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
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listTokens: {
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
                    "application/json": components["schemas"]["OperatorTokens"];
                };
            };
            /** @description `malformed_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    createToken: {
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
                /**
                 * @example {
                 *       "operator_id": "opr_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "name": "laptop",
                 *       "expires_at": "2027-01-31T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @description In a session, by a passkey of your own; needed once you have one */
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
                    /** @description Within 366 days */
                    expires_at: string;
                    /** @description Where it is used */
                    name: string;
                    /** @description Your own */
                    operator_id: string;
                    /** @description Why, for the record */
                    reason?: string;
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
                    "application/json": components["schemas"]["NewOperatorToken"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_invalid`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "the laptop is lost"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Revoked; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listTroubledWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
                trouble?: "failing" | "disabled";
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
                    "application/json": components["schemas"]["TroubledWebhookPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    retryWork: {
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
                /**
                 * @example {
                 *       "topic": "evaluate-borrower",
                 *       "reason": "the provider is back"
                 *     }
                 */
                "application/json": {
                    /** @description Why, for the record */
                    reason: string;
                    /** @description A borrower, facility, draw, repayment or refund */
                    subject_id?: string;
                    /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                    tenant_id?: string;
                    /** @enum {string} */
                    topic?: "sell-collateral" | "escalate-warning" | "confirm-push" | "evaluate-facility" | "evaluate-tenant" | "expire-repayment" | "decide-facility" | "refresh-floor" | "recheck-push" | "accrue-interest" | "advance-clock" | "evaluate-after-price" | "evaluate-after-collateral" | "evaluate-after-repayment" | "release-draw" | "confirm-repayment" | "pay-refund" | "evaluate-borrower" | "underwrite-facility" | "release-lien" | "push-floor" | "read-positions-alone" | "apply-portfolio-source" | "recover-webhook" | "mail-failure" | "read-positions" | "check-push";
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
                    "application/json": components["schemas"]["RetriedWork"];
                };
            };
            /** @description `malformed_request`, `invalid_json`, `idempotency_key_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `scope_missing`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `idempotency_in_progress`, `secret_not_retrievable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed`, `idempotency_key_reused` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
    listStuckWork: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: string;
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: number;
                /** @description A borrower, facility, draw, repayment or refund */
                subject_id?: string;
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
                topic?: "sell-collateral" | "escalate-warning" | "confirm-push" | "evaluate-facility" | "evaluate-tenant" | "expire-repayment" | "decide-facility" | "refresh-floor" | "recheck-push" | "accrue-interest" | "advance-clock" | "evaluate-after-price" | "evaluate-after-collateral" | "evaluate-after-repayment" | "release-draw" | "confirm-repayment" | "pay-refund" | "evaluate-borrower" | "underwrite-facility" | "release-lien" | "push-floor" | "read-positions-alone" | "apply-portfolio-source" | "recover-webhook" | "mail-failure" | "read-positions" | "check-push";
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
                    "application/json": components["schemas"]["StuckWorkPage"];
                };
            };
            /** @description `malformed_request`, `cursor_invalid` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `token_required`, `session_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `cross_origin`, `passkey_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `uri_too_long` */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
            /** @description `unavailable`, `tenant_moving` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["OperatorProblem"];
                };
            };
        };
    };
}
