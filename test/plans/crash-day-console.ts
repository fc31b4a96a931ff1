/** A hundred people of each tenant, each with their sessions, passkeys and what they did. */
export const CONSOLE_TABLES: readonly string[] = [
  `CREATE TEMP TABLE staff AS
   SELECT tenant_id, n, 'per_' || right(tenant_id, 23) || lpad(n::text, 3, '0') AS person_id
   FROM tenants, generate_series(1, 100) AS n`,
  'ANALYZE staff',
  `INSERT INTO console_people (tenant_id, person_id, email, name, role, oidc_subject, failure_mails,
                              confirmed_email, created_at)
   SELECT tenant_id, person_id, person_id || '@example.com', 'Person ' || n, 'developer',
     CASE WHEN n % 2 = 1 THEN 'subject ' || person_id END, n % 10 = 1,
     CASE WHEN n % 10 = 1 THEN person_id || '@example.com' END, now() - interval '1 year'
   FROM staff`,
  `INSERT INTO console_invitations (tenant_id, invitation_id, person_id, kind, token_hash, created_at,
                                    expires_at)
   SELECT tenant_id, 'inv_' || right(person_id, 26), person_id, 'invitation',
     sha256(convert_to(person_id, 'UTF8')), now() - interval '1 hour', now() + interval '23 hours'
   FROM staff`,
  `INSERT INTO console_sessions (tenant_id, session_id, person_id, token_hash, signed_in_by,
                                 must_add_passkey, created_at, seen_at)
   SELECT tenant_id, 'ses_' || right(person_id, 25) || s, person_id,
     sha256(convert_to(person_id || s, 'UTF8')), 'passkey', s = 3,
     now() - n * interval '1 hour', now() - n * interval '1 hour'
   FROM staff, generate_series(1, 3) AS s`,
  `INSERT INTO console_passkeys (tenant_id, passkey_id, person_id, credential_id, public_key, counter,
                                 transports, name, created_at)
   SELECT tenant_id, 'psk_' || right(person_id, 26), person_id,
     sha256(convert_to(person_id, 'UTF8')), '\\x00', 0, '{internal}', 'laptop', now()
   FROM staff`,
  `INSERT INTO console_mails (tenant_id, mail_id, person_id, kind, asked_at, sent_at)
   SELECT tenant_id, md5(person_id || m)::uuid, person_id, 'passkey_added', now() - m * interval '1 day',
     CASE WHEN m > 1 THEN now() END
   FROM staff, generate_series(1, 10) AS m`,
  // The first two wait for a mail, the third is reserved, and the others are sent.
  `INSERT INTO failure_notices (tenant_id, notice_id, person_id, webhook_id, failed_attempts,
                                dead_letters, is_disabled, first_at, last_at, mail_id, reserved_at,
                                sent_at)
   SELECT tenant_id, md5(person_id || m)::uuid, person_id, 'whk_' || m, 25, 0, false,
     now() - m * interval '1 hour', now() - m * interval '1 hour',
     CASE WHEN m > 2 THEN md5(person_id || m)::uuid END,
     CASE WHEN m > 2 THEN now() - m * interval '1 hour' END, CASE WHEN m > 3 THEN now() END
   FROM staff, generate_series(1, 350) AS m WHERE n = 1`,
  `INSERT INTO asked_addresses (address, asked_by, asked_at)
   SELECT person_id || '@example.com', tenant_id, now() - n * interval '1 hour' FROM staff`,
  `INSERT INTO console_challenges (challenge, purpose, subject, expires_at)
   SELECT sha256(convert_to(person_id, 'UTF8')), 'sign_in', '', now() + n * interval '1 minute'
   FROM staff`,
  `INSERT INTO console_actions (tenant_id, action_id, person_id, action, subject, request_id, acted_at)
   SELECT tenant_id, 'act_' || right(person_id, 20) || lpad(a::text, 6, '0'), person_id,
     CASE WHEN a = 10 AND n <= 5 THEN 'createKey' WHEN a = 9 AND n <= 5 THEN 'invitePerson'
       WHEN a = 8 THEN 'addPasskey' ELSE 'sign_in' END, 'subject_' || n, 'req_1',
     now() - a * interval '1 minute'
   FROM staff, generate_series(1, 10) AS a`,
]
