import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span, SpanKind } from '@opentelemetry/api'
import type { TracerProvider } from '@opentelemetry/sdk-trace'
import type { Config } from '../config/config.ts'
import type { OpenSpan, SpanOptions, Tracing } from '../core/tracing.ts'
import type { ProcessKind } from './logger.ts'

type TracingConfig = Pick<Config, 'otlpEndpoint' | 'otlpHeaders' | 'traceRatio' | 'stack'>

type Api = typeof import('@opentelemetry/api')

/** Retries included, because an ending process waits for it. */
const EXPORT_MS = 3_000

/** Undefined without a collector: SDK and exporter are not even loaded. No library is patched. */
export async function startTracing(
  config: TracingConfig,
  service: ProcessKind,
): Promise<Tracing | undefined> {
  if (config.otlpEndpoint === undefined) return undefined
  const api = await import('@opentelemetry/api')
  const provider = await openProvider(config.otlpEndpoint, config, service)
  return createTracing(api, provider)
}

async function openProvider(
  endpoint: string,
  { otlpHeaders, traceRatio, stack }: TracingConfig,
  service: ProcessKind,
): Promise<TracerProvider> {
  const sdk = await import('@opentelemetry/sdk-trace')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const url = `${endpoint}/v1/traces`
  return new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `lending-${service}`,
      'deployment.environment.name': stack,
    }),
    // Child spans follow the request's sampling decision.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(traceRatio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, headers: otlpHeaders, timeoutMillis: EXPORT_MS }),
      }),
    ],
  })
}

function createTracing(api: Api, provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('lending-service')
  const running = new AsyncLocalStorage<Span>()
  const kinds: Record<NonNullable<SpanOptions['kind']>, SpanKind> = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    consumer: api.SpanKind.CONSUMER,
  }

  function contextOf(parent: string | undefined): Context {
    const stored = parent === undefined ? undefined : parseTraceparent(parent)
    if (stored) return api.trace.setSpanContext(api.ROOT_CONTEXT, { ...stored, isRemote: true })
    const around = running.getStore()
    return around ? api.trace.setSpan(api.ROOT_CONTEXT, around) : api.ROOT_CONTEXT
  }

  function begin(name: string, options: SpanOptions = {}): OpenSpan {
    const { parent, kind, attributes = {} } = options
    const span = tracer.startSpan(
      name,
      { kind: kind ? kinds[kind] : api.SpanKind.INTERNAL, attributes: { ...attributes } },
      contextOf(parent),
    )
    return {
      run: (inner) => running.run(span, inner),
      end({ failed, attributes = {} }) {
        span.setAttributes({ ...attributes })
        if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  return {
    begin,
    async span(name, options, run) {
      const span = begin(name, options)
      try {
        const result = await span.run(run)
        span.end({ failed: false })
        return result
      } catch (error) {
        const attributes = { 'error.type': error instanceof Error ? error.name : 'unknown' }
        span.end({ failed: true, attributes })
        throw error
      }
    },
    current() {
      const context = running.getStore()?.spanContext()
      return context && printTraceparent(context)
    },
    close: () => provider.shutdown(),
  }
}

/** W3C Trace Context, version 00. */
function printTraceparent(span: { traceId: string; spanId: string; traceFlags: number }): string {
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

function parseTraceparent(text: string) {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}
