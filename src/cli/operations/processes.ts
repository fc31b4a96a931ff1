import type { Command } from 'commander'
import { listEncryptionKeys } from '../../domain/operations/keys.ts'
import { listProcesses, listProviders } from '../../domain/operations/processes.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { reportList, showTime } from '../command/output.ts'

export function addProcessCommands(group: Command, io: CliIo): void {
  addProcesses(group, io)
  addProviders(group, io)
  addKeys(group, io)
}

function addProcesses(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'processes',
    'List the processes that have reported within the hour, with the version of each.',
    ['operations processes'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const processes = await listProcesses(db, now)
      const items = processes.map(({ report, ...process }) => ({
        ...{ id: process.processId, kind: process.kind, host: process.host },
        ...{ version: process.version, schema: report.schema, silent: process.isSilent },
        ...{ started_at: process.startedAt, reported_at: process.reportedAt },
        ...{ redis: report.redis, connections: report.connections, key_ids: report.keyIds },
      }))
      return reportList(items, {
        columns: ['kind', 'host', 'version', 'schema', 'started', 'reported', 'redis', 'state'],
        rows: items.map((item) => [
          ...[item.kind, item.host, item.version, item.schema, showTime(item.started_at)],
          ...[showTime(item.reported_at), item.redis, item.silent ? 'silent' : 'running'],
        ]),
        empty: 'No process has reported within the hour.',
      })
    })
  })
}

function addProviders(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'providers',
    'List the providers called over HTTP: breakers, and calls of the last five minutes.',
    ['operations providers'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const providers = listProviders(await listProcesses(db, now))
      const items = providers.map((health) => ({
        ...{ provider: health.provider, breaker: health.breaker, answered: health.answered },
        ...{ failed: health.failed, held_back: health.heldBack },
        ...{ p50_ms: health.p50Ms, p95_ms: health.p95Ms, last_failure: health.lastFailure },
        processes: health.processes,
      }))
      return reportList(items, {
        columns: [
          'provider',
          'breaker',
          'answered',
          'failed',
          'held back',
          'p50',
          'p95',
          'last failure',
        ],
        rows: items.map((item) => [
          ...[item.provider, item.breaker, String(item.answered), String(item.failed)],
          ...[String(item.held_back), showMs(item.p50_ms), showMs(item.p95_ms)],
          item.last_failure ? `${item.last_failure.outcome} ${showTime(item.last_failure.at)}` : '',
        ]),
        empty: 'No process calls a provider over HTTP.',
      })
    })
  })
}

function showMs(ms: number | undefined): string {
  if (ms === undefined) return ''
  return Number.isFinite(ms) ? `${ms} ms` : 'above 15 s'
}

function addKeys(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'keys',
    'List the encryption keys by id: what each encrypts, and which processes have it.',
    ['operations keys'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const keys = await listEncryptionKeys(db, await listProcesses(db, now))
      const items = keys.map((key) => ({
        ...{ key_id: key.keyId, signing_secrets: key.signingSecrets },
        ...{ stored_answers: key.storedAnswers, encrypted_by: key.encryptedBy },
        ...{ decrypted_by: key.decryptedBy, missing_in: key.missingIn },
      }))
      return reportList(items, {
        columns: ['key', 'secrets', 'answers', 'encrypts in', 'decrypts in', 'missing in'],
        rows: items.map(({ key_id: keyId, missing_in: missing, ...counts }) => [
          ...[keyId, ...Object.values(counts).map(String), String(missing.length)],
        ]),
        empty: 'No key is in use, and no process has reported one.',
      })
    })
  })
}
