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
        Amount: {
            amount: components["schemas"]["Decimal"];
            asset: string;
        };
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
            decided_at: components["schemas"]["Timestamp"] | null;
            decided_by: string | null;
            decision_reason: string | null;
            expires_at: components["schemas"]["Timestamp"];
            id: string;
            proposed_at: components["schemas"]["Timestamp"];
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
            blocked_since: components["schemas"]["Timestamp"];
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
                exposure_usd: components["schemas"]["Usd"];
                facility_id: string;
                ltv: components["schemas"]["Decimal"];
                /** @description Of the whole, rounded down */
                share: components["schemas"]["Decimal"];
                tenant_id: string;
            }[];
            charged_off: {
                /** @description How many */
                facilities: number;
                recovered_usd: components["schemas"]["Usd"];
                total_usd: components["schemas"]["Usd"];
            };
            /** @description Of facilities that owe, after haircuts */
            collateral: {
                assets: {
                    asset: string;
                    /** @description How many */
                    facilities: number;
                    quantity: components["schemas"]["Decimal"];
                    /** @description Of the whole, rounded down */
                    share: components["schemas"]["Decimal"];
                    value_usd: components["schemas"]["Usd"];
                }[];
                value_usd: components["schemas"]["Usd"];
            };
            /** @description Limits of approved facilities */
            commitments: {
                /** @description How many */
                facilities: number;
                limits_usd: components["schemas"]["Usd"];
                /** @description For draws in progress */
                reserved_usd: components["schemas"]["Usd"];
                /** @description Part of it: the borrower is blocked from draws */
                undrawn_blocked_usd: components["schemas"]["Usd"];
                /** @description Of each facility: limit less principal and reserved */
                undrawn_usd: components["schemas"]["Usd"];
            };
            countries: {
                country: string;
                exposure_usd: components["schemas"]["Usd"];
                /** @description How many */
                facilities: number;
                /** @description Of the whole, rounded down */
                share: components["schemas"]["Decimal"];
            }[];
            /** @description Facilities that owe more than their collateral is worth */
            deficits: {
                /** @description Exposure less collateral, of each */
                deficit_usd: components["schemas"]["Usd"];
                exposure_usd: components["schemas"]["Usd"];
                /** @description How many */
                facilities: number;
            };
            /** @description What facilities owe, as /v1 shows it */
            exposure: {
                /** @description How many */
                facilities: number;
                /** @description Run and not paid */
                interest_usd: components["schemas"]["Usd"];
                principal_usd: components["schemas"]["Usd"];
                total_usd: components["schemas"]["Usd"];
            };
            interest: {
                /** @description All that has run since the first draw: due, paid, waived or charged off; ended facilities too */
                earned_usd: components["schemas"]["Usd"];
            };
            ltv: {
                distribution: {
                    /** @description Null: from 0 */
                    above_ltv: components["schemas"]["Decimal"] | null;
                    collateral_value_usd: components["schemas"]["Usd"];
                    exposure_usd: components["schemas"]["Usd"];
                    /** @description How many */
                    facilities: number;
                    /** @description Of the whole, rounded down */
                    share: components["schemas"]["Decimal"];
                    /** @description Inclusive; null: without end */
                    to_ltv: components["schemas"]["Decimal"] | null;
                }[];
                /** @description Exposure over collateral */
                total: components["schemas"]["Decimal"];
                /** @description The average of the ratios as shown, weighted by exposure, of those with collateral of value */
                weighted: components["schemas"]["Decimal"];
            };
            margin_calls: {
                exposure_usd: components["schemas"]["Usd"];
                running: number;
            };
            /** @description How many are left out */
            more_tenants: number;
            /** @description Of what instant all figures are */
            read_at: components["schemas"]["Timestamp"];
            /** @description Valued at old or missing prices */
            stale: {
                exposure_usd: components["schemas"]["Usd"];
                /** @description How many */
                facilities: number;
            };
            /** @description Null: of all tenants */
            tenant_id: string | null;
            /** @description Largest exposure first, at most 100 */
            tenants: {
                deficit_usd: components["schemas"]["Usd"];
                exposure_usd: components["schemas"]["Usd"];
                /** @description How many */
                facilities: number;
                interest_earned_usd: components["schemas"]["Usd"];
                margin_calls: number;
                name: string;
                open_warnings: number;
                /** @description Of the whole, rounded down */
                share: components["schemas"]["Decimal"];
                tenant_id: string;
                undrawn_usd: components["schemas"]["Usd"];
                weighted_ltv: components["schemas"]["Decimal"];
            }[];
            warnings: {
                exposure_usd: components["schemas"]["Usd"];
                open: number;
                tiers: {
                    exposure_usd: components["schemas"]["Usd"];
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
            amount_usd: components["schemas"]["Usd"];
            /** @description Of all pages */
            facilities: number;
            has_more: boolean;
            items: {
                /** @description What it adds to the figure */
                amount_usd: components["schemas"]["Usd"];
                borrower_blocked: boolean;
                borrower_id: string;
                charged_off_usd: components["schemas"]["Usd"];
                collateral_value_usd: components["schemas"]["Usd"];
                country: string;
                exposure_usd: components["schemas"]["Usd"];
                facility_id: string;
                interest_earned_usd: components["schemas"]["Usd"];
                limit_usd: components["schemas"]["Usd"];
                ltv: components["schemas"]["Decimal"];
                /** @description Of the running one */
                margin_call_number: number | null;
                recovered_usd: components["schemas"]["Usd"];
                /** @enum {string} */
                state: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
                tenant_id: string;
                undrawn_usd: components["schemas"]["Usd"];
                /** @enum {string} */
                valuation_status: "FRESH" | "STALE";
                /** @description The open one */
                warning: {
                    cure_deadline: components["schemas"]["Timestamp"];
                    number: number;
                    tier: number;
                } | null;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
            /** @description All pages are of the instant of the first */
            read_at: components["schemas"]["Timestamp"];
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
                since: components["schemas"]["Timestamp"];
            } | null;
            borrower_id: string;
            checks: {
                check_id: string;
                created_at: components["schemas"]["Timestamp"];
                decided_at: components["schemas"]["Timestamp"] | null;
                /** @enum {string} */
                kind: "kyc" | "kyb" | "aml";
                /** @enum {string} */
                status: "pending" | "review" | "passed" | "failed";
            }[];
            created_at: components["schemas"]["Timestamp"];
            eligible: boolean;
            /** @description By the tenant */
            kyc_attested: boolean;
            latest_facility: {
                created_at: components["schemas"]["Timestamp"];
                facility_id: string;
                limit: components["schemas"]["Amount"];
                state: string;
            } | null;
            /** @description Acts about the borrower that wait for a second operator */
            proposals: {
                action: string;
                approval_id: string;
                expires_at: components["schemas"]["Timestamp"];
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
                signed_at: components["schemas"]["Timestamp"];
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
        Decimal: string;
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
                interest: components["schemas"]["Amount"];
                principal: components["schemas"]["Amount"];
                refund_due: components["schemas"]["Amount"];
            };
            completed_at?: components["schemas"]["Timestamp"];
            costs_usd: components["schemas"]["Usd"];
            created_at: components["schemas"]["Timestamp"];
            deficit_usd: components["schemas"]["Usd"];
            facility_id: string;
            margin_warning_number: number;
            number: number;
            /** @description To the custodian, with their fills, in order */
            orders: {
                /** @description When the custodian accepted it */
                acknowledged_at: components["schemas"]["Timestamp"] | null;
                asset: string;
                fill: {
                    costs_usd: components["schemas"]["Usd"];
                    executed_at: components["schemas"]["Timestamp"];
                    proceeds_usd: components["schemas"]["Usd"];
                    quantity: components["schemas"]["Decimal"];
                } | null;
                /** @description Taken as it is, without a sale */
                in_kind: boolean;
                number: number;
                ordered_at: components["schemas"]["Timestamp"];
                quantity: components["schemas"]["Decimal"];
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
                proceeds_usd: components["schemas"]["Usd"];
                quantity: components["schemas"]["Decimal"];
            }[];
            started_at?: components["schemas"]["Timestamp"];
            /** @enum {string} */
            status: "PENDING" | "SELLING" | "COMPLETED";
            surplus_usd: components["schemas"]["Usd"];
            target_ltv?: components["schemas"]["Decimal"];
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
            items: components["schemas"]["DeskCall"][];
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
            /** @description At the latest; after 12 hours without a request it ends sooner */
            expires_at: components["schemas"]["Timestamp"];
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
            /** @description The tenant's time of all figures: on the sandbox it may be ahead */
            as_of: components["schemas"]["Timestamp"];
            borrower_id: string;
            /** @description Collateral that was pushed and that the custodian has not confirmed */
            claimed: {
                /** @description Since when the custodian is asked about it */
                asked_since: components["schemas"]["Timestamp"] | null;
                positions: components["schemas"]["Position"][];
                pushed_at: components["schemas"]["Timestamp"];
            } | null;
            collateral_value_usd: components["schemas"]["Usd"];
            cure_amount_usd: components["schemas"]["Usd"];
            cure_collateral_usd: components["schemas"]["Usd"];
            cure_deadline: components["schemas"]["Timestamp"];
            cured_at?: components["schemas"]["Timestamp"];
            /**
             * @description `correction`: by what the custodian holds, it should never have been raised
             * @enum {string}
             */
            cured_by?: "repayment" | "collateral" | "price" | "correction";
            /** @description What the custodian last answered or was read to hold */
            custodian: {
                positions: components["schemas"]["Position"][];
                read_at: components["schemas"]["Timestamp"];
            } | null;
            debt_usd: components["schemas"]["Usd"];
            /** @description Oldest first */
            decisions: {
                /** @description false: the record is wrong */
                agrees: boolean;
                decided_at: components["schemas"]["Timestamp"];
                /** @description All inputs of the decision, and its result */
                facts: {
                    /** @description What the warning was raised on, by the positions of the custodian */
                    at_raise?: {
                        debt_usd: components["schemas"]["Usd"];
                        highest_usd: components["schemas"]["Usd"];
                    };
                    debt: {
                        interest_usd: components["schemas"]["Usd"];
                        principal_usd: components["schemas"]["Usd"];
                        rate: components["schemas"]["Decimal"];
                        total_usd: components["schemas"]["Usd"];
                    };
                    last_cure?: {
                        cured_at: components["schemas"]["Timestamp"];
                        seconds_left: number;
                    };
                    outcome: {
                        cure_deadline?: components["schemas"]["Timestamp"];
                        /** @enum {string} */
                        cured_by?: "repayment" | "collateral" | "price" | "correction";
                        /** @enum {string} */
                        reason?: "deadline" | "critical";
                        tier?: number;
                    };
                    policy: {
                        confirm_seconds: number;
                        critical_ltv: components["schemas"]["Decimal"];
                        cure_ltv: components["schemas"]["Decimal"];
                        /** @description How long after the deadline the window may be undecided */
                        flicker_seconds: number;
                        floor_ltv: components["schemas"]["Decimal"];
                        least_usd: components["schemas"]["Usd"];
                        tiers: {
                            above_ltv: components["schemas"]["Decimal"];
                            cure_seconds: number;
                            tier: number;
                        }[];
                        version: string;
                    };
                    /** @description At the latest round; for an escalation as confirmed by the custodian */
                    positions: {
                        asset: string;
                        /** @description What counts towards a cure, where it is less */
                        cure_quantity?: components["schemas"]["Decimal"];
                        haircut?: components["schemas"]["Decimal"];
                        quantity: components["schemas"]["Decimal"];
                        value_usd: components["schemas"]["Usd"];
                    }[];
                    /** @description The newest push, and whether the custodian has answered about it */
                    push?: {
                        /** @description The positions are then those of the custodian */
                        answered_at?: components["schemas"]["Timestamp"];
                        asked_since?: components["schemas"]["Timestamp"];
                        received_at: components["schemas"]["Timestamp"];
                    };
                    /** @description Repayments reported in time and not confirmed yet */
                    reported: {
                        amount_usd: components["schemas"]["Usd"];
                        holds_until: components["schemas"]["Timestamp"];
                    }[];
                    /** @description Prices of the rounds that were evaluated, oldest first */
                    rounds: {
                        accepted_at: components["schemas"]["Timestamp"];
                        asset: string;
                        price_usd: components["schemas"]["Decimal"];
                        /** @description The quote of each venue; none where the sandbox set the price */
                        sources: {
                            at: components["schemas"]["Timestamp"];
                            price_usd: components["schemas"]["Decimal"];
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
                        highest_usd: components["schemas"]["Usd"];
                        latest_usd: components["schemas"]["Usd"];
                        lowest_usd: components["schemas"]["Usd"];
                    };
                    /** @description The warning before this decision */
                    warning?: {
                        cure_deadline: components["schemas"]["Timestamp"];
                        tier: number;
                        /** @description The deadline of its tiers without extensions */
                        window_deadline: components["schemas"]["Timestamp"];
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
            escalated_at?: components["schemas"]["Timestamp"];
            /** @description How far outages have moved the deadline */
            extended_seconds: number;
            facility_id: string;
            if_escalated?: {
                sale_usd: components["schemas"]["Usd"];
                target_ltv: components["schemas"]["Decimal"];
            };
            /** @description At the latest prices, while the warning is open */
            latest_ltv?: components["schemas"]["Decimal"];
            /** @description As evaluated: at the highest value of the window */
            ltv_at_raise: components["schemas"]["Decimal"];
            number: number;
            raised_at: components["schemas"]["Timestamp"];
            /** @description Repayments that the borrower reported and the treasury has not confirmed */
            reported: {
                amount: components["schemas"]["Amount"];
                credit_usd: components["schemas"]["Usd"];
                /** @description Until then it holds the escalation */
                holds_until: components["schemas"]["Timestamp"];
                repayment_id: string;
                reported_at: components["schemas"]["Timestamp"];
            }[];
            /** @description Until the deadline, by the time of the tenant; below 0 after it */
            seconds_left: number;
            /** @enum {string} */
            status: "OPEN" | "CURED" | "ESCALATED";
            tenant_id: string;
            tier: number;
            /** @enum {string} */
            valuation_status: "FRESH" | "STALE";
            /** @description The deadline of its tiers alone; holds where the custodian does not confirm a critical loan */
            window_deadline: components["schemas"]["Timestamp"];
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
            finished_at: components["schemas"]["Timestamp"] | null;
            /** @description An audit that a worker begins within a minute */
            requested_at: components["schemas"]["Timestamp"] | null;
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
            as_of: components["schemas"]["Timestamp"];
            borrower_id: string;
            collateral_value_usd: components["schemas"]["Usd"];
            /** @description What the custodian last answered or was read to hold */
            custodian: {
                positions: components["schemas"]["Position"][];
                read_at: components["schemas"]["Timestamp"];
            } | null;
            debt_usd: components["schemas"]["Usd"];
            /** @enum {string} */
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            id: string;
            interest_usd: components["schemas"]["Usd"];
            limit_usd: components["schemas"]["Usd"];
            ltv: components["schemas"]["Decimal"];
            /** @description Its number */
            open_warning: number | null;
            positions: {
                asset: string;
                /** @description null: it is no collateral */
                haircut: components["schemas"]["Decimal"] | null;
                price_usd: components["schemas"]["Decimal"] | null;
                quantity: components["schemas"]["Decimal"];
                value_usd: components["schemas"]["Usd"];
            }[];
            principal_usd: components["schemas"]["Usd"];
            required_floor_usd: components["schemas"]["Usd"];
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
                dust_usd: components["schemas"]["Usd"];
                floor_ltv: string;
                haircuts: {
                    [key: string]: string;
                };
                least_usd: components["schemas"]["Usd"];
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
                created_at: components["schemas"]["Timestamp"];
                effective_from: components["schemas"]["Timestamp"];
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
                    dust_usd: components["schemas"]["Usd"];
                    floor_ltv: string;
                    haircuts: {
                        [key: string]: string;
                    };
                    least_usd: components["schemas"]["Usd"];
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
                withdrawn_at?: components["schemas"]["Timestamp"];
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
            expires_at: components["schemas"]["Timestamp"];
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
                /** @description The tenant's time of all figures: on the sandbox it may be ahead */
                as_of: components["schemas"]["Timestamp"];
                borrower_id: string;
                /** @description Collateral that was pushed and that the custodian has not confirmed */
                claimed: {
                    /** @description Since when the custodian is asked about it */
                    asked_since: components["schemas"]["Timestamp"] | null;
                    positions: components["schemas"]["Position"][];
                    pushed_at: components["schemas"]["Timestamp"];
                } | null;
                collateral_value_usd: components["schemas"]["Usd"];
                cure_amount_usd: components["schemas"]["Usd"];
                cure_collateral_usd: components["schemas"]["Usd"];
                cure_deadline: components["schemas"]["Timestamp"];
                cured_at?: components["schemas"]["Timestamp"];
                /**
                 * @description `correction`: by what the custodian holds, it should never have been raised
                 * @enum {string}
                 */
                cured_by?: "repayment" | "collateral" | "price" | "correction";
                /** @description What the custodian last answered or was read to hold */
                custodian: {
                    positions: components["schemas"]["Position"][];
                    read_at: components["schemas"]["Timestamp"];
                } | null;
                debt_usd: components["schemas"]["Usd"];
                escalated_at?: components["schemas"]["Timestamp"];
                /** @description How far outages have moved the deadline */
                extended_seconds: number;
                facility_id: string;
                if_escalated?: {
                    sale_usd: components["schemas"]["Usd"];
                    target_ltv: components["schemas"]["Decimal"];
                };
                /** @description At the latest prices, while the warning is open */
                latest_ltv?: components["schemas"]["Decimal"];
                /** @description As evaluated: at the highest value of the window */
                ltv_at_raise: components["schemas"]["Decimal"];
                number: number;
                raised_at: components["schemas"]["Timestamp"];
                /** @description Repayments that the borrower reported and the treasury has not confirmed */
                reported: {
                    amount: components["schemas"]["Amount"];
                    credit_usd: components["schemas"]["Usd"];
                    /** @description Until then it holds the escalation */
                    holds_until: components["schemas"]["Timestamp"];
                    repayment_id: string;
                    reported_at: components["schemas"]["Timestamp"];
                }[];
                /** @description Until the deadline, by the time of the tenant; below 0 after it */
                seconds_left: number;
                /** @enum {string} */
                status: "OPEN" | "CURED" | "ESCALATED";
                tenant_id: string;
                tier: number;
                /** @enum {string} */
                valuation_status: "FRESH" | "STALE";
                /** @description The deadline of its tiers alone; holds where the custodian does not confirm a critical loan */
                window_deadline: components["schemas"]["Timestamp"];
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
            at: components["schemas"]["Timestamp"];
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
                created_at: components["schemas"]["Timestamp"];
                email: string;
                id: string;
                /** @description In a session of the desk that has not been signed out */
                last_seen_at: components["schemas"]["Timestamp"] | null;
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
            created_at: components["schemas"]["Timestamp"];
            /** @description Of the operator that it acts as */
            email: string;
            expires_at: components["schemas"]["Timestamp"];
            id: string;
            name: string;
            revoked_at: components["schemas"]["Timestamp"] | null;
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
            expires_at: components["schemas"]["Timestamp"] | null;
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
                /** @description From then on */
                at: components["schemas"]["Timestamp"];
                name: string;
            } | null;
            partitions: {
                bytes: number;
                from: components["schemas"]["Timestamp"];
                name: string;
                /** @description As last estimated by the database */
                rows: number;
                until: components["schemas"]["Timestamp"];
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
        Position: {
            asset: string;
            quantity: components["schemas"]["Decimal"];
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
                accepted_at: components["schemas"]["Timestamp"];
                /** @description Seconds */
                age_seconds: number;
                asset: string;
                price: string;
                quotes: {
                    /** @description Seconds */
                    age_seconds: number;
                    at: components["schemas"]["Timestamp"];
                    price: string;
                    source: string;
                }[];
                /** @description From the lowest to the highest quote, as a share of the price */
                spread: components["schemas"]["Decimal"];
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
            at: components["schemas"]["Timestamp"];
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
            reported_at: components["schemas"]["Timestamp"];
            /** @description The newest migration that its build knows */
            schema: string;
            /** @description It has missed its last reports: hung, cut off or dead */
            silent: boolean;
            started_at: components["schemas"]["Timestamp"];
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
            expires_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description proposed: another operator confirms it
             * @enum {string}
             */
            outcome: "done" | "proposed";
            /** @description What it would change in the book today */
            preview: {
                at: components["schemas"]["Timestamp"];
                relieved: number;
                sold: number;
                sold_debt_usd: components["schemas"]["Usd"];
                warned_by_tier: {
                    1: number;
                    2: number;
                    3: number;
                };
                warned_debt_usd: components["schemas"]["Usd"];
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
                at: components["schemas"]["Timestamp"];
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
                since: components["schemas"]["Timestamp"];
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
            worker_seen_at: components["schemas"]["Timestamp"] | null;
        };
        Reason: {
            /** @description Why, for the record */
            reason: string;
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
            amount: components["schemas"]["Amount"];
            created_at: components["schemas"]["Timestamp"];
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
            max_limit_usd: components["schemas"]["Usd"] | null;
            /** @description Annual; null: the service's default */
            rate: components["schemas"]["Decimal"] | null;
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
                waiting_since: components["schemas"]["Timestamp"];
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
            waiting_since: components["schemas"]["Timestamp"];
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
        Stress: {
            main_collateral: {
                asset?: string;
                collateral_value_usd: components["schemas"]["Usd"];
                cured: number;
                debt_usd: components["schemas"]["Usd"];
                escalated_as_critical: number;
                escalated_by_deadline: number;
                facilities: number;
                /** @description Past their deadline; a reported repayment holds the escalation */
                held: number;
                /** @description What the warned would add if every deadline passed */
                if_uncured: components["schemas"]["StressLosses"];
                in_margin_call: number;
                /** @description With old or missing prices */
                not_evaluated: number;
                nothing_to_sell: {
                    debt_usd: components["schemas"]["Usd"];
                    facilities: number;
                };
                sold_at_once: components["schemas"]["StressLosses"];
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
                costs_usd: components["schemas"]["Usd"];
                gross_usd: components["schemas"]["Usd"];
                quantity: components["schemas"]["Decimal"];
            }[];
            sold_if_uncured: {
                asset: string;
                costs_usd: components["schemas"]["Usd"];
                gross_usd: components["schemas"]["Usd"];
                quantity: components["schemas"]["Decimal"];
            }[];
            tenants: {
                collateral_value_usd: components["schemas"]["Usd"];
                cured: number;
                debt_usd: components["schemas"]["Usd"];
                escalated_as_critical: number;
                escalated_by_deadline: number;
                facilities: number;
                /** @description Past their deadline; a reported repayment holds the escalation */
                held: number;
                /** @description What the warned would add if every deadline passed */
                if_uncured: components["schemas"]["StressLosses"];
                in_margin_call: number;
                /** @description With old or missing prices */
                not_evaluated: number;
                nothing_to_sell: {
                    debt_usd: components["schemas"]["Usd"];
                    facilities: number;
                };
                sold_at_once: components["schemas"]["StressLosses"];
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
                collateral_value_usd: components["schemas"]["Usd"];
                cured: number;
                debt_usd: components["schemas"]["Usd"];
                escalated_as_critical: number;
                escalated_by_deadline: number;
                facilities: number;
                /** @description Past their deadline; a reported repayment holds the escalation */
                held: number;
                /** @description What the warned would add if every deadline passed */
                if_uncured: components["schemas"]["StressLosses"];
                in_margin_call: number;
                /** @description With old or missing prices */
                not_evaluated: number;
                nothing_to_sell: {
                    debt_usd: components["schemas"]["Usd"];
                    facilities: number;
                };
                sold_at_once: components["schemas"]["StressLosses"];
                /** @description Of the warned, those with a warning of this tier already */
                warned_alike_today: number;
                warned_by_tier: {
                    1: number;
                    2: number;
                    3: number;
                };
            };
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
            stressed: components["schemas"]["Stress"];
            today: components["schemas"]["Stress"];
        };
        StressLosses: {
            costs_usd: components["schemas"]["Usd"];
            deficit_usd: components["schemas"]["Usd"];
            deficits: number;
            gross_usd: components["schemas"]["Usd"];
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
            failing_since: components["schemas"]["Timestamp"];
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
            created_at: components["schemas"]["Timestamp"];
            id: string;
            name: string;
            /** @description null: it may write */
            suspended: {
                at: components["schemas"]["Timestamp"];
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
            published_at: components["schemas"]["Timestamp"];
            retired_at: components["schemas"]["Timestamp"] | null;
            superseded_at: components["schemas"]["Timestamp"] | null;
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
            created_at: components["schemas"]["Timestamp"];
            expires_at: components["schemas"]["Timestamp"] | null;
            id: string;
            label: string;
            /** @description To the minute */
            last_used_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
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
            items: components["schemas"]["Tenant"][];
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
            created_at: components["schemas"]["Timestamp"];
            email: string;
            id: string;
            last_seen_at: components["schemas"]["Timestamp"] | null;
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
                at: components["schemas"]["Timestamp"];
                call_number: number | null;
                decision: {
                    /** @description false: the record is wrong */
                    agrees: boolean;
                    decided_at: components["schemas"]["Timestamp"];
                    /** @description All inputs of the decision, and its result */
                    facts: {
                        /** @description What the warning was raised on, by the positions of the custodian */
                        at_raise?: {
                            debt_usd: components["schemas"]["Usd"];
                            highest_usd: components["schemas"]["Usd"];
                        };
                        debt: {
                            interest_usd: components["schemas"]["Usd"];
                            principal_usd: components["schemas"]["Usd"];
                            rate: components["schemas"]["Decimal"];
                            total_usd: components["schemas"]["Usd"];
                        };
                        last_cure?: {
                            cured_at: components["schemas"]["Timestamp"];
                            seconds_left: number;
                        };
                        outcome: {
                            cure_deadline?: components["schemas"]["Timestamp"];
                            /** @enum {string} */
                            cured_by?: "repayment" | "collateral" | "price" | "correction";
                            /** @enum {string} */
                            reason?: "deadline" | "critical";
                            tier?: number;
                        };
                        policy: {
                            confirm_seconds: number;
                            critical_ltv: components["schemas"]["Decimal"];
                            cure_ltv: components["schemas"]["Decimal"];
                            /** @description How long after the deadline the window may be undecided */
                            flicker_seconds: number;
                            floor_ltv: components["schemas"]["Decimal"];
                            least_usd: components["schemas"]["Usd"];
                            tiers: {
                                above_ltv: components["schemas"]["Decimal"];
                                cure_seconds: number;
                                tier: number;
                            }[];
                            version: string;
                        };
                        /** @description At the latest round; for an escalation as confirmed by the custodian */
                        positions: {
                            asset: string;
                            /** @description What counts towards a cure, where it is less */
                            cure_quantity?: components["schemas"]["Decimal"];
                            haircut?: components["schemas"]["Decimal"];
                            quantity: components["schemas"]["Decimal"];
                            value_usd: components["schemas"]["Usd"];
                        }[];
                        /** @description The newest push, and whether the custodian has answered about it */
                        push?: {
                            /** @description The positions are then those of the custodian */
                            answered_at?: components["schemas"]["Timestamp"];
                            asked_since?: components["schemas"]["Timestamp"];
                            received_at: components["schemas"]["Timestamp"];
                        };
                        /** @description Repayments reported in time and not confirmed yet */
                        reported: {
                            amount_usd: components["schemas"]["Usd"];
                            holds_until: components["schemas"]["Timestamp"];
                        }[];
                        /** @description Prices of the rounds that were evaluated, oldest first */
                        rounds: {
                            accepted_at: components["schemas"]["Timestamp"];
                            asset: string;
                            price_usd: components["schemas"]["Decimal"];
                            /** @description The quote of each venue; none where the sandbox set the price */
                            sources: {
                                at: components["schemas"]["Timestamp"];
                                price_usd: components["schemas"]["Decimal"];
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
                            highest_usd: components["schemas"]["Usd"];
                            latest_usd: components["schemas"]["Usd"];
                            lowest_usd: components["schemas"]["Usd"];
                        };
                        /** @description The warning before this decision */
                        warning?: {
                            cure_deadline: components["schemas"]["Timestamp"];
                            tier: number;
                            /** @description The deadline of its tiers without extensions */
                            window_deadline: components["schemas"]["Timestamp"];
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
                    acknowledged_at: components["schemas"]["Timestamp"] | null;
                    asset: string;
                    fill: {
                        costs_usd: components["schemas"]["Usd"];
                        executed_at: components["schemas"]["Timestamp"];
                        proceeds_usd: components["schemas"]["Usd"];
                        quantity: components["schemas"]["Decimal"];
                    } | null;
                    /** @description Taken as it is, without a sale */
                    in_kind: boolean;
                    number: number;
                    ordered_at: components["schemas"]["Timestamp"];
                    quantity: components["schemas"]["Decimal"];
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
        /** Format: date-time */
        Timestamp: string;
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
            disabled_at: components["schemas"]["Timestamp"] | null;
            /** @description In a row; the hundredth disables it */
            failed_attempts: number;
            last_attempt: {
                /** @description A status, or an error */
                answer: string;
                at: components["schemas"]["Timestamp"];
            } | null;
            /** @description Of its deliveries that are due */
            oldest_due_at: components["schemas"]["Timestamp"] | null;
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
        Usd: string;
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
            /** @description By then it is decided with what is known */
            decided_by: components["schemas"]["Timestamp"];
            /** @description Of the last try, where it failed */
            error: string | null;
            facility_id: string;
            limit: components["schemas"]["Amount"];
            tenant_id: string;
            tenant_name: string;
            /** @description By the tenant's own clock */
            waited_seconds: number;
            waiting_since: components["schemas"]["Timestamp"];
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
    responses: {
        /** @description `malformed_request` */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cursor_invalid`, `malformed_request` */
        "Problem400-cursor_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `idempotency_key_invalid`, `invalid_json`, `malformed_request` */
        "Problem400-idempotency_key_invalid-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `invalid_json`, `malformed_request` */
        "Problem400-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `session_required` */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `link_invalid`, `session_required` */
        "Problem401-link_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `session_required`, `token_required` */
        "Problem401-token_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cross_origin` */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_invalid` */
        "Problem403-passkey_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_invalid`, `passkey_required` */
        "Problem403-passkey_invalid-passkey_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_invalid`, `passkey_required`, `scope_missing` */
        "Problem403-passkey_invalid-passkey_required-scope_missing": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_required` */
        "Problem403-passkey_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `cross_origin`, `passkey_required`, `scope_missing` */
        "Problem403-passkey_required-scope_missing": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `not_found` */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `request_timeout` */
        Problem408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `idempotency_in_progress`, `secret_not_retrievable` */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `already_exists`, `idempotency_in_progress`, `secret_not_retrievable` */
        "Problem409-already_exists": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `already_exists`, `idempotency_in_progress`, `limit_reached`, `secret_not_retrievable` */
        "Problem409-already_exists-limit_reached": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `approval_not_open`, `idempotency_in_progress`, `secret_not_retrievable` */
        "Problem409-approval_not_open": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `idempotency_in_progress`, `last_admin`, `secret_not_retrievable` */
        "Problem409-last_admin": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `idempotency_in_progress`, `last_admin`, `limit_reached`, `secret_not_retrievable` */
        "Problem409-last_admin-limit_reached": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `body_too_large` */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `uri_too_long` */
        Problem414: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `unsupported_media_type` */
        Problem415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `validation_failed` */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `idempotency_key_reused`, `validation_failed` */
        "Problem422-idempotency_key_reused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `rate_limited` */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `headers_too_large` */
        Problem431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `internal` */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
        /** @description `tenant_moving`, `unavailable` */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OperatorProblem"];
            };
        };
    };
    parameters: {
        borrower_id: string;
        facility_id: string;
        /**
         * @description `next_cursor` of the previous page; omit it for the first page
         * @example q83vASNFZ4mrze8BNw
         */
        from: string;
        id: string;
        /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
        "Idempotency-Key": string;
        /**
         * @description Items per page, at most 100
         * @example 100
         */
        limit: number;
        number: number;
        tenant_id: string;
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
                /** @description Of one actor, as written in `actor` */
                actor?: string;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: components["parameters"]["number"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getApproval: {
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
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    confirmApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["id"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-approval_not_open"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-approval_not_open"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    requestAudit: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listBookFacilities: {
        parameters: {
            query?: {
                /**
                 * @description Exclusive
                 * @example 0.700000
                 */
                above_ltv?: components["schemas"]["Decimal"];
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
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                /** @example ten_01k9x4m2q8e0tb7f2v5j6h8n3c */
                tenant_id?: string;
                /** @description Of the open warning */
                tier?: "1" | "2" | "3";
                /**
                 * @description Inclusive
                 * @example 0.750000
                 */
                to_ltv?: components["schemas"]["Decimal"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listBlockedBorrowers: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    proposeMarginPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
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
    withdrawMarginPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                number: components["parameters"]["number"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMarginCalls: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
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
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    inviteOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-already_exists-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changeOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-last_admin"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    inviteOperatorAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removeOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-last_admin"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-already_exists"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
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
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
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
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listRefusedRefunds: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
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
                    "application/json": components["schemas"]["RefusedRefundPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setResidencyRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                kind?: "kyc" | "kyb" | "aml";
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
                    "application/json": components["schemas"]["DeskSession"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-link_invalid"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
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
                    "application/json": components["schemas"]["DeskSession"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-passkey_invalid"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
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
            400: components["responses"]["Problem400-invalid_json"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
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
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
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
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
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
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getBorrowerFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: components["parameters"]["borrower_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    approveBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    blockBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rejectBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revealReviews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: components["parameters"]["borrower_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    unblockBorrower: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTenantDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    publishTenantDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retireTenantDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getFacility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMarginCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                number: components["parameters"]["number"];
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMarginWarning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                number: components["parameters"]["number"];
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTenantKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeTenantKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                key_id: string;
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTenantPeople: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    inviteTenantPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-last_admin-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removeTenantPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                person_id: string;
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-last_admin"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    redirectRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                refund_id: string;
                tenant_id: components["parameters"]["tenant_id"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resumeTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    suspendTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                tenant_id: components["parameters"]["tenant_id"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_invalid-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
                "application/json": components["schemas"]["Reason"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTroubledWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retryWork: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
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
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required-scope_missing"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listStuckWork: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 100
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
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
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401-token_required"];
            403: components["responses"]["Problem403-passkey_required"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
