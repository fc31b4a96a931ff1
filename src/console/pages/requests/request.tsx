import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Code, Json } from '../../../pages/parts/code.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, ResourceId, Time } from '../../../pages/parts/values.tsx'
import { type ApiRequestDetails, consoleApi } from '../../data/console-api.ts'
import { RequestStatus } from './request-status.tsx'
import classes from './requests.module.css'

export function RequestPage() {
  const { id } = useParams({ from: '/requests/$id' })
  const { data: request, error } = useQuery({
    queryKey: ['request', id],
    queryFn: () => consoleApi.getRequest(id),
  })
  const crumbs = <Link to="/requests">Requests</Link>
  if (!request) {
    return (
      <Page title="Request" crumbs={crumbs}>
        {error ? <ProblemAlert error={error} /> : <Loading />}
      </Page>
    )
  }
  return (
    <Page
      title={`${request.method} ${request.path}`}
      beside={<RequestStatus {...request} />}
      crumbs={crumbs}
    >
      <Panel title="Details">
        <Facts items={describe(request)} />
      </Panel>
      {request.string_to_sign !== undefined && (
        <SignatureComparison of={request} stringToSign={request.string_to_sign} />
      )}
      {request.answer !== undefined && request.answer !== null && (
        <Panel title="Answer">
          <Json value={request.answer} label="Body of the answer" />
        </Panel>
      )}
    </Page>
  )
}

function describe(request: ApiRequestDetails) {
  const { key_id, idempotency_key, resource_id, query = {} } = request
  const queryText = new URLSearchParams(query).toString()
  return [
    ['Request id', <Id key="id" value={request.id} />],
    ['Received', <Time key="at" at={request.received_at} />],
    ['Took', `${Math.round(request.duration_ms)} ms`],
    ...(key_id ? [['Key', <ResourceId key="key" value={key_id} />] as const] : []),
    ...(idempotency_key
      ? [['Idempotency key', <Id key="idempotency" value={idempotency_key} />] as const]
      : []),
    ...(resource_id
      ? [['Resource', <ResourceId key="resource" value={resource_id} />] as const]
      : []),
    ...(queryText === '' ? [] : [['Query', queryText] as const]),
  ] as const
}

type ComparisonProps = { of: ApiRequestDetails; stringToSign: string }

/** What the service verified against beside what came: the difference is the mistake. */
function SignatureComparison({ of: { sent }, stringToSign }: ComparisonProps) {
  return (
    <Panel title="Why the signature did not fit">
      <div className={classes.two}>
        <div className={classes.stack}>
          <h3>The string the service expected to be signed</h3>
          <Code code={stringToSign} label="String to sign" wrap />
        </div>
        <div className={classes.stack}>
          <h3>What was sent</h3>
          <Json value={sent ?? {}} label="Headers that were sent" />
        </div>
      </div>
      <p className={classes.hint}>
        Print the string that your code signs and compare it line by line: key id, timestamp,
        method, target with its query, idempotency key, SHA-256 of the body in hex. There is no line
        break at its end. <a href="/docs/guides/signing">Signing requests</a> lists the common
        errors.
      </p>
    </Panel>
  )
}
