/** Fifty operators with a token each, 100,000 things that they did, 20,000 proposals, 300 versions of
 * the margin policy, and five thousand sessions, invitations and answers. */
export const OPERATOR_TABLES: readonly string[] = [
  `INSERT INTO operators (operator_id, email, name, role, oidc_subject, created_at)
   SELECT 'opr_' || lpad(n::text, 26, '0'), 'operator' || n || '@lender.example', 'Operator ' || n,
     'reviewer', CASE WHEN n <> 2 THEN 'subject ' || n END, now() - interval '1 year'
   FROM generate_series(1, 50) AS n`,
  `INSERT INTO operator_actions (number, operator_id, actor, action, subject_kind, subject_id,
                                 tenant, after, acted_at, previous_hash, hash)
   SELECT n, 'opr_' || lpad((n % 50 + 1)::text, 26, '0'),
     'operator' || n % 50 + 1 || '@lender.example',
     CASE n % 1000 WHEN 0 THEN 'operators.invite' WHEN 1 THEN 'borrowers.block'
       ELSE 'borrowers.approve' END,
     CASE WHEN n % 1000 = 0 THEN 'operator' ELSE 'borrower' END,
     CASE n % 1000 WHEN 0 THEN 'opr_' || lpad((n / 1000 % 50 + 2)::text, 26, '0')
       WHEN 1 THEN 'bor_' || lpad((25001 + n / 1000)::text, 26, '0')
       ELSE 'bor_' || lpad((n % 20000)::text, 6, '0') END,
     CASE n % 1000 WHEN 1 THEN 'ten_' || lpad('1', 26, '0') END, '{}', now() - (100000 - n) * interval '1 minute',
     sha256(int8send(n - 1)), sha256(int8send(n))
   FROM generate_series(1, 100000) AS n`,
  'UPDATE operator_actions SET borrower_id = subject_id WHERE tenant IS NOT NULL',
  `INSERT INTO operator_tokens (token_id, operator_id, name, token_hash, created_at, expires_at)
   SELECT 'opt_' || lpad(n::text, 26, '0'), 'opr_' || lpad(n::text, 26, '0'), 'laptop',
     sha256(convert_to('token ' || n, 'UTF8')), now() - interval '1 day', now() + interval '1 year'
   FROM generate_series(1, 50) AS n`,
  `INSERT INTO operator_sessions (session_id, operator_id, token_hash, signed_in_by,
                                  must_add_passkey, created_at, seen_at, ended_at)
   SELECT 'ses_' || lpad(n::text, 26, '0'), 'opr_' || lpad((n % 50 + 1)::text, 26, '0'),
     sha256(convert_to('operator session ' || n, 'UTF8')), 'passkey', n = 1, begun, begun,
     CASE WHEN n > 50 THEN begun END
   FROM generate_series(1, 5000) AS n, LATERAL (SELECT now() - n * interval '10 minutes' AS begun)`,
  `INSERT INTO operator_invitations (invitation_id, operator_id, kind, token_hash, created_at,
                                     expires_at, used_at, replaces_at)
   SELECT 'inv_' || lpad(n::text, 26, '0'), 'opr_' || lpad((n % 50 + 1)::text, 26, '0'), 'invitation',
     sha256(convert_to('operator invitation ' || n, 'UTF8')), now() - interval '1 hour',
     now() + interval '1 day', CASE WHEN n > 50 THEN now() END,
     CASE WHEN n > 50 THEN now() + interval '23 hours' END
   FROM generate_series(1, 5000) AS n`,
  `INSERT INTO operator_passkeys (passkey_id, operator_id, credential_id, public_key, counter,
                                  transports, name, created_at)
   SELECT 'psk_' || lpad(n::text, 26, '0'), 'opr_' || lpad((n % 50 + 1)::text, 26, '0'),
     sha256(convert_to('operator passkey ' || n, 'UTF8')), '\\x00', 0, '{}', 'laptop', now()
   FROM generate_series(0, 100) AS n`,
  `INSERT INTO operator_mails (mail_id, operator_id, kind, asked_at, sent_at, due_at)
   SELECT md5(n::text)::uuid, 'opr_' || lpad((n % 50 + 1)::text, 26, '0'), 'passkey_added',
     now() - n * interval '10 minutes', CASE WHEN n > 5 THEN now() END,
     CASE WHEN n <= 5 THEN now() END
   FROM generate_series(1, 5000) AS n`,
  `INSERT INTO operator_answers (operator_id, key, fingerprint, status, body, recorded_at)
   SELECT 'opr_' || lpad((n % 50 + 1)::text, 26, '0'),
     ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
     sha256(int8send(n)), 200, '{}', now() - n * interval '1 minute'
   FROM generate_series(1, 5000) AS n`,
  `INSERT INTO approvals (approval_id, action, subject_kind, subject_id, request, reason, proposed_by,
                          proposed_at, expires_at, status, decided_by, decided_at)
   SELECT 'apr_' || lpad(n::text, 26, '0'), 'borrowers.unblock', 'borrower',
     'bor_' || lpad(n::text, 6, '0'), '{}', 'released', 'opr_' || lpad('1', 26, '0'), begun,
     begun + interval '3 days', CASE WHEN n > 20 THEN 'CONFIRMED' ELSE 'PENDING' END,
     CASE WHEN n > 20 THEN 'opr_' || lpad('2', 26, '0') END, CASE WHEN n > 20 THEN begun END
   FROM generate_series(1, 20000) AS n, LATERAL (SELECT now() - n * interval '1 hour' AS begun)`,
  `INSERT INTO margin_policy_versions (number, terms, effective_from, note, proposed_by, signed_by,
                                       created_at)
   SELECT n, '{}', begun + interval '1 day', 'volatility', 'operator1@lender.example',
     'operator2@lender.example', begun
   FROM generate_series(1, 300) AS n,
     LATERAL (SELECT now() - (300 - n) * interval '1 week' AS begun)`,
  `UPDATE operator_trail SET last_number = 100000, last_hash = sha256(int8send(100000))`,
]
