import { deskLink } from '../../config/page-address.ts'
import { Refusal } from '../../core/errors.ts'
import { LENDER } from '../../db/sql/people-tables.ts'
import { readOperatorActions } from '../../domain/operators/actions.ts'
import { INVITE_OPERATOR } from '../../domain/operators/acts/access-acts.ts'
import { actCreateToken, actRemove, actRevokeToken } from '../../domain/operators/people-acts.ts'
import { OPERATOR_ROLES } from '../../domain/operators/roles.ts'
import { listOperatorTokens, stateOfToken } from '../../domain/operators/tokens.ts'
import { findPerson, listPeople, unknownPerson } from '../../domain/people/people.ts'
import { writeDeskLink } from '../../local/page-links.ts'
import { findRunningStack } from '../../local/running-stack.ts'
import { type CliCommand, change, list } from '../command/commands.ts'
import { locateDesk } from '../command/locate-pages.ts'
import { EMAIL, MAY_REASON, OF_TENANT } from '../command/members.ts'
import { readEmail, readId, readTimestamp } from '../command/options.ts'
import { answerLink } from '../command/output.ts'
import { counting, optional, required } from '../command/parameters.ts'

const OPERATORS: CliCommand[] = [
  change({
    name: 'operators invite',
    about:
      'Invite an operator to the desk, or again one who lost their passkeys, with the role given. The link opens once, within 24 hours; a day later what they had ends. With --actor, another operator confirms it for one who can sign in. Viewers read, reviewers decide on borrowers, risk changes policy and refunds, admins do everything.',
    examples: ['operators invite --email ada@lender.example --name "Ada" --role admin'],
    takes: {
      reason: MAY_REASON,
      email: EMAIL,
      name: optional('--name <text>', 'the name of the person; by default the address'),
      role: required('--role <role>', 'what they may do', OPERATOR_ROLES),
    },
    change: async ({ io, actOrPropose }, { email, name = email, role }) =>
      await actOrPropose(INVITE_OPERATOR, { email, name, role }, ({ person, token }) => {
        const { id: operator, ...shown } = person
        return answerLink(person, { operator, ...shown }, deskLink(locateDesk(io), token))
      }),
  }),
  list({
    name: 'operators list',
    about: 'List the operators.',
    examples: ['operators list'],
    list: async ({ db }) => await listPeople(db, LENDER),
    columns: ['id', 'email', 'name', 'role', 'passkeys', 'last_seen_at', 'created_at'],
    empty: 'There are no operators yet: operators invite adds one.',
  }),
  change({
    name: 'operators remove',
    about: 'Remove an operator. What they did stays on record.',
    examples: ['operators remove ada@lender.example --reason "left on 3 November"'],
    takes: { email: required('<email>', 'the e-mail address', readEmail), reason: MAY_REASON },
    async change({ now, makeChange }, { email }) {
      const operator = await makeChange((tx) => actRemove(tx, email, now))
      const shown = `${operator.email} is removed.`
      return { data: { ...operator, removed_at: now }, shown }
    },
  }),
  change({
    name: 'operators link',
    about:
      'Print a link that signs an operator in to the desk of the local stack (npm start). It opens once.',
    examples: ['operators link'],
    async change({ config: { localFolder }, now, makeChange }) {
      const deskUrl = findRunningStack(localFolder)?.deskUrl
      if (deskUrl === undefined) {
        const detail = `No local stack runs from ${localFolder}: run npm start. In a deployment use operators invite.`
        throw new Refusal('unavailable', detail)
      }
      const url = await makeChange(async (tx) => ({
        result: await writeDeskLink(tx, deskUrl, now),
        act: { action: 'operators.link' },
      }))
      return { data: { url }, shown: url }
    },
  }),
  list({
    name: 'operators actions',
    about: 'List who did what, newest first.',
    examples: ['operators actions', 'operators actions --subject bor_… --limit 10'],
    takes: {
      tenantId: OF_TENANT,
      subjectId: optional('--subject <id>', 'about one thing: a borrower, a key, a refund, …'),
      actor: optional('--by <actor>', 'of one actor: an e-mail address, or os: and a user'),
      limit: counting('--limit <number>', 'at most so many', [1, 1_000], 100),
    },
    async list({ db }, { limit, ...filter }) {
      const actions = await readOperatorActions(db, filter, limit)
      return actions.map(
        ({ number, actedAt: at, previousHash: _previous, hash: _, ...action }) => ({
          ...{ number: Number(number), at, ...action },
        }),
      )
    },
    columns: ['number', 'at', 'actor', 'action', 'subject', 'reason'],
    empty: 'Nothing was done yet.',
  }),
]

const TOKENS: CliCommand[] = [
  change({
    name: 'operators tokens create',
    about: 'Make a token that acts as an operator at the operator API. It is shown once.',
    examples: [
      'operators tokens create --email ada@lender.example --name laptop --expires 2027-01-31T00:00:00Z',
    ],
    takes: {
      reason: MAY_REASON,
      email: required('--email <address>', 'the operator', readEmail),
      name: required('--name <text>', 'where it is used'),
      expiresAt: required('--expires <timestamp>', 'when it ends, within 366 days', readTimestamp),
    },
    async change({ now, makeChange }, { email, name, expiresAt }) {
      const { id, token } = await makeChange(async (tx, { acting }) => {
        const operator = await findPerson(tx, LENDER, email)
        if (!operator) throw unknownPerson(email)
        const isTrusted = acting.actor.kind === 'system'
        return await actCreateToken(tx, operator, { name, expiresAt, isTrusted }, now)
      })
      return {
        data: { id, email, name, expires_at: expiresAt, token },
        shown: `${token}\nThis token is shown only now. It ends ${expiresAt.toISOString()}.`,
      }
    },
  }),
  list({
    name: 'operators tokens list',
    about: 'List all tokens, revoked and expired ones included.',
    examples: ['operators tokens list'],
    list: async ({ db, now }) =>
      (await listOperatorTokens(db)).map((token) => ({
        ...{ ...token, state: stateOfToken(token, now) },
      })),
    columns: ['id', 'state', 'email', 'name', 'expires_at'],
    empty: 'There are no tokens yet.',
  }),
  change({
    name: 'operators tokens revoke',
    about: 'Revoke a token for good, at once.',
    examples: ['operators tokens revoke opt_… --reason "laptop lost"'],
    takes: {
      tokenId: required('<token_id>', 'the token, opt_…', readId('opt')),
      reason: MAY_REASON,
    },
    async change({ now, makeChange }, { tokenId: id }) {
      await makeChange((tx) => actRevokeToken(tx, id, now))
      return { data: { id, revoked_at: now }, shown: `Token ${id} is revoked.` }
    },
  }),
]

export const OPERATOR_COMMANDS = [...OPERATORS, ...TOKENS]
