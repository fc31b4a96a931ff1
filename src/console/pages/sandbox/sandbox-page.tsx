import { Page } from '../../../pages/parts/page.tsx'
import { AffectedNotice } from './affected-notice.tsx'
import { ClockPanel } from './clock-panel.tsx'
import { HoldingPanel } from './holding-panel.tsx'
import { PricePanel } from './price-panel.tsx'
import { ProvidersPanel } from './providers-panel.tsx'
import classes from './sandbox.module.css'
import { StoriesPanel } from './stories-panel.tsx'

export function SandboxPage() {
  return (
    <Page
      title="Sandbox"
      about="Prices, time and providers of your own, to try what your integration does."
    >
      <AffectedNotice />
      <StoriesPanel />
      <div className={classes.pair}>
        <div className={classes.column}>
          <PricePanel />
          <HoldingPanel />
        </div>
        <div className={classes.column}>
          <ClockPanel />
          <ProvidersPanel />
        </div>
      </div>
    </Page>
  )
}
