import type { Command } from 'commander'
import type { CliIo } from '../command/cli-io.ts'
import { addBacktest } from './backtest.ts'
import { addDeskCalls } from './desk/calls.ts'
import { addTimeline } from './desk/timeline.ts'
import { addDeskWarnings } from './desk/warnings.ts'
import { addExplain } from './explain.ts'
import { addPolicyCommands } from './policy.ts'
import { addStress } from './stress.ts'

export function addMarginCommands(program: Command, io: CliIo): void {
  const group = program.command('margin').description('The margin ladder: warnings and sales.')
  addDeskWarnings(group, io)
  addDeskCalls(group, io)
  addTimeline(group, io)
  addExplain(group, io)
  addStress(group, io)
  addPolicyCommands(group, io)
  addBacktest(group, io)
}
