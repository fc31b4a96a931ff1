import cluster from 'node:cluster'
import type { Config } from '../config/config.ts'
import type { ProcessKind } from '../telemetry/logger.ts'
import type { Parent } from './many/parent.ts'
import type { ParentWaits } from './many/run-children.ts'
import { readConfig, runProcess, type Started } from './process.ts'

/** `parent`: where this process is one of several. */
export type Start = (config: Config, parent: Parent | undefined) => Promise<Started>

/** This process alone, or as many like it as are configured. `load` gives what starts one. */
export async function runProcesses(
  kind: ProcessKind,
  load: () => Promise<Start>,
  waits?: ParentWaits,
): Promise<void> {
  const config = readConfig()
  if (!config) process.exit(1)
  const count = kind === 'api' ? config.apiProcesses : config.workerProcesses
  if (count === 1) return await runOne(config, load)
  if (cluster.isPrimary) {
    const { runChildren } = await import('./many/run-children.ts')
    return runChildren(kind, count, config, waits)
  }
  const { connectToParent } = await import('./many/parent.ts')
  const parent = connectToParent()
  await runOne(config, load, parent)
  parent.reportReady()
}

async function runOne(config: Config, load: () => Promise<Start>, parent?: Parent): Promise<void> {
  const start = await load()
  await runProcess(config, () => start(config, parent))
}
