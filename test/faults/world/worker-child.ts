// A worker in a process of its own, which kills itself at the point that DIE_AT names: `before-post`
// or `after-post` of its first attempt. Configured by its environment like the real one.
import { loadProcessConfig } from '../../../src/config/process-environment.ts'
import type { WebhookSender } from '../../../src/domain/webhooks/webhook-sender.ts'
import { startJobs } from '../../../src/jobs/start-jobs.ts'
import { createResources } from '../../../src/process/resources.ts'

const { DIE_AT } = process.env
const resources = createResources(loadProcessConfig())
const jobs = startJobs({ ...resources, sender: mortal(resources.sender, DIE_AT) })
process.on('SIGTERM', () => void end())
process.on('disconnect', () => process.exit(1))

async function end(): Promise<void> {
  await jobs.drain()
  await resources.dispose()
  process.exit(0)
}

function mortal(sender: WebhookSender, dieAt: string | undefined): WebhookSender {
  return {
    ...sender,
    async send(...delivery) {
      if (dieAt === 'before-post') process.kill(process.pid, 'SIGKILL')
      const outcome = await sender.send(...delivery)
      if (dieAt === 'after-post') process.kill(process.pid, 'SIGKILL')
      return outcome
    },
  }
}
