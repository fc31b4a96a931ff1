import type { Delivery } from '../../../client/resources/resources.ts'
import { Code } from '../../../pages/parts/code.tsx'
import { Facts } from '../../../pages/parts/page.tsx'
import { Status, Time } from '../../../pages/parts/values.tsx'
import classes from './deliveries.module.css'
import { printHeaders, sentHeaders, signatureHeaders } from './delivery-headers.ts'

export type AttemptOf = Delivery['attempts'][number]

export const isAccepted = ({ status }: AttemptOf) =>
  status !== undefined && status >= 200 && status < 300

export function describeAttempt(attempt: AttemptOf | undefined): string {
  if (!attempt) return 'Not attempted yet'
  return attempt.status === undefined
    ? (attempt.error ?? 'No answer')
    : `Answered ${attempt.status}`
}

/** One attempt: what was sent beside the body, and what came back. */
export function Attempt({ of: attempt, eventId }: { of: AttemptOf; eventId: string }) {
  return (
    <details className={classes.attempt}>
      <summary>
        <span className="figures">#{attempt.number}</span>
        <Status tone={isAccepted(attempt) ? 'good' : 'bad'}>{describeAttempt(attempt)}</Status>
        <Time at={attempt.at} />
        <span className="quiet figures">{attempt.duration_ms} ms</span>
        {attempt.requested && <Status tone="calm">Requested</Status>}
      </summary>
      <div className={classes.attemptBody}>
        {attempt.error !== undefined && <Facts items={[['Error', attempt.error]]} />}
        <h3>Headers that were sent</h3>
        <Code
          label={`Headers of attempt ${attempt.number}`}
          code={printHeaders(sentHeaders(attempt, eventId))}
        />
        <p className="quiet">
          With a signing secret also these. Signatures are made for each attempt and not kept.
        </p>
        <Code
          label={`Signatures of attempt ${attempt.number}`}
          code={printHeaders(signatureHeaders(attempt, eventId))}
        />
        <h3>Answer</h3>
        {attempt.response_excerpt === '' ? (
          <p className="quiet">{attempt.status === undefined ? 'None.' : 'An empty body.'}</p>
        ) : (
          <Code
            label={`Answer to attempt ${attempt.number}`}
            code={attempt.response_excerpt}
            wrap
          />
        )}
      </div>
    </details>
  )
}
