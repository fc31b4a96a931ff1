import type { Command } from 'commander'
import { LENDER } from '../../db/sql/people-tables.ts'
import { actCreateToken, actRevokeToken } from '../../domain/operators/people-acts.ts'
import {
  listOperatorTokens,
  type OperatorToken,
  stateOfToken,
} from '../../domain/operators/tokens.ts'
import { findPerson, unknownPerson } from '../../domain/people/people.ts'
import { type ChangeOptions, defineChange, offerReason, runChange } from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { readEmail, readId, readTimestamp } from '../command/options.ts'
import { reportList, showTime } from '../command/output.ts'

export function addTokenCommands(operators: Command, io: CliIo): void {
  const group = operators
    .command('tokens')
    .description('What operators, and programs in their name, prove themselves with at the API.')
  addCreate(group, io)
  addList(group, io)
  addRevoke(group, io)
}

type NewToken = ChangeOptions & { email: string; name: string; expires: Date }

function addCreate(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'create',
    'Make a token that acts as an operator at the operator API. It is shown once.',
    [
      'operators tokens create --email ada@lender.example --name laptop --expires 2027-01-31T00:00:00Z',
    ],
  )
  offerReason(command)
    .requiredOption('--email <address>', 'the operator', readEmail)
    .requiredOption('--name <text>', 'where it is used')
    .requiredOption('--expires <timestamp>', 'when it ends, within 366 days', readTimestamp)
    .action(async (options: NewToken) => {
      await runChange(io, options, async ({ now, change }) => {
        const { email, name, expires: expiresAt } = options
        const made = await change(async (tx, { acting }) => {
          const operator = await findPerson(tx, LENDER, email)
          if (!operator) throw unknownPerson(email)
          const isTrusted = acting.actor.kind === 'system'
          return await actCreateToken(tx, operator, { name, expiresAt, isTrusted }, now)
        })
        return {
          data: { id: made.id, email, name, expires_at: expiresAt, token: made.token },
          text: `${made.token}\nThis token is shown only now. It ends ${expiresAt.toISOString()}.`,
        }
      })
    })
}

function addList(group: Command, io: CliIo): void {
  defineCommand(group, 'list', 'List all tokens, revoked and expired ones included.', [
    'operators tokens list',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const tokens = await listOperatorTokens(db)
      return reportList(
        tokens.map((token) => toJson(token, now)),
        {
          columns: ['id', 'state', 'operator', 'name', 'expires'],
          rows: tokens.map((token) => [
            ...[token.id, stateOfToken(token, now), token.email, token.name],
            showTime(token.expiresAt),
          ]),
          empty: 'There are no tokens yet.',
        },
      )
    })
  })
}

function addRevoke(group: Command, io: CliIo): void {
  const command = defineChange(group, 'revoke', 'Revoke a token for good, at once.', [
    'operators tokens revoke opt_… --reason "laptop lost"',
  ]).argument('<token_id>', 'the token, opt_…', readId('opt'))
  offerReason(command).action(async (tokenId: string, options: ChangeOptions) => {
    await runChange(io, options, async ({ now, change }) => {
      await change((tx) => actRevokeToken(tx, tokenId, now))
      return { data: { id: tokenId, revoked_at: now }, text: `Token ${tokenId} is revoked.` }
    })
  })
}

function toJson(token: OperatorToken, now: Date) {
  return {
    id: token.id,
    state: stateOfToken(token, now),
    email: token.email,
    name: token.name,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
  }
}
