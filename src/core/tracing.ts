export type SpanOptions = {
  parent?: string | undefined
  kind?: 'server' | 'client' | 'consumer'
  /** Ids and codes only: never a body, a secret or a signer's data. */
  attributes?: Readonly<Record<string, string | number>>
}

export type OpenSpan = {
  run<T>(inner: () => T): T
  end(outcome: { failed: boolean; attributes?: SpanOptions['attributes'] }): void
}

export type Tracing = {
  begin(name: string, options?: SpanOptions): OpenSpan
  span<T>(name: string, options: SpanOptions, run: () => Promise<T>): Promise<T>
  /** As a `traceparent`; undefined outside a span. */
  current(): string | undefined
  close(): Promise<void>
}

export function tracePort<Port extends object>(
  tracing: Tracing | undefined,
  provider: string,
  port: Port,
): Port {
  if (!tracing) return port
  return new Proxy(port, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name)
      if (typeof operation !== 'function') return operation
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(operation, target, args)
        if (tracing.current() === undefined) return call()
        const span = tracing.begin(`${provider} ${String(name)}`, { kind: 'client' })
        return settle(span, call)
      }
    },
  })
}

function settle(span: OpenSpan, call: () => unknown): unknown {
  let result: unknown
  try {
    result = span.run(call)
  } catch (error) {
    span.end({ failed: true })
    throw error
  }
  if (!(result instanceof Promise)) {
    span.end({ failed: false })
    return result
  }
  return result.then(
    (value) => {
      span.end({ failed: false })
      return value
    },
    (error) => {
      span.end({ failed: true })
      throw error
    },
  )
}
