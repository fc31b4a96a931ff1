import { setTimeout as pause } from 'node:timers/promises'
import type { Restarted, Service } from '../support/world/service.ts'
import { within } from './checks/in-time.ts'
import { EVERYTHING, type Target } from './disturbances.ts'
import type { FaultContext, PlannedFault } from './faults.ts'
import type { Command } from './world/command.ts'

/** What the scaling page says ends, and what starts, by itself. */
const ORPHANS_ENDED_MS = 10_000
const REPLACED_MS = 30_000

/**
 * Of a command that runs several processes, which one alone the fault is done to; undefined: all of
 * it. Those after the second are spared.
 */
export function processOf(which: number, processes: number): number | undefined {
  return processes === 1 || which < 2 ? undefined : Math.floor(which / 2)
}

/** Two commands alike, one of which a fault is done to. */
type Pair = readonly Command[]
type Chosen = Pick<PlannedFault, 'which' | 'process' | 'holdMs'>

/** Kills what was chosen. The function returned has it run again. */
export async function killOne(
  context: FaultContext,
  commands: Pair,
  { which, process, holdMs }: Chosen,
): Promise<() => Promise<void>> {
  const command = commands[which % 2]
  const one = command?.processes[(process ?? 0) - 1]
  if (one) {
    await one.kill()
    return () =>
      within(context, REPLACED_MS, [EVERYTHING, 'postgres'], async () => {
        await one.start()
        return `${one.name} was replaced`
      })
  }
  await command?.kill()
  return async () => {
    await pause(holdMs)
    await Promise.all([command?.start(), command && seeOrphansEnd(context, command, [])])
  }
}

/** Stops what was chosen, for as long as was chosen. */
export async function holdOne(commands: Pair, { which, process, holdMs }: Chosen): Promise<void> {
  const command = commands[which % 2]
  const chosen = command?.processes[(process ?? 0) - 1] ?? command
  if (chosen) await hold(chosen, holdMs)
}

/** The processes of a parent that was killed end by themselves, once `needed` are not stopped. */
export async function seeOrphansEnd(
  context: FaultContext,
  command: Command,
  needed: readonly Target[],
): Promise<void> {
  if (command.processes.length === 0) return
  await within(context, ORPHANS_ENDED_MS, needed, async () => {
    const count = await command.untilOrphansEnded()
    return `${count} processes of ${command.name}, whose parent was killed, had ended by themselves`
  })
}

export async function restart(service: Restarted, afterMs: number): Promise<void> {
  await service.kill()
  await pause(afterMs)
  await service.start()
}

export async function hold(service: Service, ms: number): Promise<void> {
  service.pause()
  await pause(ms)
  service.goOn()
}
