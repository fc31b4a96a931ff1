import type { Command } from 'commander'
import { Refusal } from '../core/errors.ts'
import { makeConsoleLink } from '../local/console-link.ts'
import { readDemoTenant } from '../local/seed.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './define-command.ts'

export function addConsoleCommands(program: Command, io: CliIo): void {
  const group = program.command('console').description('The console, and the people who use it.')
  addLink(group, io)
}

function addLink(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'link',
    'Print a link that signs the demo tenant in to the console of the local stack (npm start). It opens once.',
    ['console link'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const { localFolder } = io.loadConfig()
      const demo = readDemoTenant(localFolder)
      if (!demo) {
        const detail = `There is no local stack in ${localFolder}: run npm start. In a deployment use console invite.`
        throw new Refusal('unavailable', detail)
      }
      const link = await makeConsoleLink(
        db,
        { tenantId: demo.tenant_id, baseUrl: demo.base_url },
        now,
      )
      return { data: { url: link }, text: link }
    })
  })
}
