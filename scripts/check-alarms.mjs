// Plays the alarms of deploy/prometheus over their test series. PROMTOOL names another program.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { PROMTOOL: program = 'promtool' } = process.env
const file = fileURLToPath(new URL('../deploy/prometheus/alerts.test.yml', import.meta.url))
const { error, status, stdout, stderr } = spawnSync(program, ['test', 'rules', file], {
  encoding: 'utf8',
})
if (error?.code === 'ENOENT') {
  console.log('The alarms were not played: there is no promtool here (Debian: prometheus).')
} else if (error) {
  throw error
} else if (status !== 0) {
  console.error(`${stdout}${stderr}`)
}
process.exitCode = status ?? 0
