import { Page } from '../../../pages/parts/page.tsx'
import { OperationsTabs } from './operations-tabs.tsx'
import { ProblemsPanel } from './problems-panel.tsx'
import { ProcessesPanel } from './processes-panel.tsx'
import { ProvidersPanel } from './providers-panel.tsx'
import { QueuePanel } from './queue-panel.tsx'

export function OperationsPage() {
  return (
    <Page title="Operations" about="What is wrong now, what waits, and what runs.">
      <OperationsTabs />
      <ProblemsPanel />
      <QueuePanel />
      <ProvidersPanel />
      <ProcessesPanel />
    </Page>
  )
}
