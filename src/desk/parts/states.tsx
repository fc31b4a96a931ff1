import { Json } from '../../console/parts/code.tsx'
import classes from './states.module.css'

type State = Readonly<Record<string, unknown>> | null

/** What a thing was, and what it becomes. */
export function States({ before, after }: { before: State; after: State }) {
  return (
    <div className={classes.states}>
      <div>
        <h3>Before</h3>
        {before === null ? (
          <p className="quiet">Nothing</p>
        ) : (
          <Json value={before} label="Before" />
        )}
      </div>
      <div>
        <h3>After</h3>
        {after === null ? <p className="quiet">Nothing</p> : <Json value={after} label="After" />}
      </div>
    </div>
  )
}
