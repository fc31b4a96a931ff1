import { Button } from '@mantine/core'
import { Page, Panel } from '../../../pages/parts/page.tsx'
import { AffectedNotice } from './affected-notice.tsx'
import { ClockPanel } from './clock-panel.tsx'
import { HoldingPanel } from './holding-panel.tsx'
import { PlayButton } from './play-button.tsx'
import { performanceStore, stopStory } from './play-story.ts'
import { PricePanel } from './price-panel.tsx'
import { ProvidersPanel } from './providers-panel.tsx'
import classes from './sandbox.module.css'
import { STORIES } from './stories.ts'
import { StoryStage } from './story-stage.tsx'

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

function StoriesPanel() {
  const performance = performanceStore.use()
  const story = STORIES.find(({ id }) => id === performance?.storyId)
  return (
    <Panel
      title={performance && story ? `Story: ${story.title}` : 'Stories'}
      actions={performance && <StoryActions isPlaying={performance.isPlaying} />}
    >
      {performance ? (
        <StoryStage performance={performance} />
      ) : (
        <div className={classes.stories}>
          {STORIES.map((choice) => (
            <div key={choice.id} className={classes.story}>
              <h3>{choice.title}</h3>
              <p>{choice.about}</p>
              <PlayButton story={choice} />
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}

function StoryActions({ isPlaying }: { isPlaying: boolean }) {
  if (isPlaying) {
    return (
      <Button size="xs" variant="default" onClick={stopStory}>
        Stop
      </Button>
    )
  }
  return (
    <Button size="xs" variant="default" onClick={() => performanceStore.write(undefined)}>
      All stories
    </Button>
  )
}
