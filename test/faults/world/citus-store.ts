import { randomBytes } from 'node:crypto'
import {
  createCitusDatabase,
  cutOff,
  distributeMigrated,
  dropCitusDatabase,
  findNodes,
  reconnect,
} from '../../support/stores/citus.ts'
import type { Restarted } from '../../support/world/service.ts'

/** A database of the run's own on a cluster whose servers are not the run's to kill: all of them end
 * every session of it, and let none begin. */
export async function createOnCluster(
  citusUrl: string,
  appRole: { name: string; password: string },
) {
  const nodes = await findNodes(citusUrl)
  const name = `faults_${randomBytes(6).toString('hex')}`
  const databaseUrl = await createCitusDatabase(nodes, name)
  await distributeMigrated(databaseUrl, appRole)
  const postgres: Restarted = {
    name: 'postgres',
    start: () => reconnect(nodes, name),
    kill: () => cutOff(nodes, name),
  }
  return {
    databaseUrl,
    postgres,
    secrets: [],
    remove: () => dropCitusDatabase(nodes, name),
  }
}
