import { Button } from '@mantine/core'
import { Panel } from '../../../pages/parts/page.tsx'
import { PlayButton } from './play-button.tsx'
import { performanceStore, stopStory } from './play-story.ts'
import classes from './sandbox.module.css'
import { STORIES } from './stories.ts'
import { StoryStage } from './story-stage.tsx'

export function StoriesPanel() {
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
