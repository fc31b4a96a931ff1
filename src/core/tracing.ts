/** What is told of a span when it begins. */
export type SpanOptions = {
  /** What it follows from, in the form of the header `traceparent`; by default what runs around it. */
  parent?: string | undefined
  kind?: 'server' | 'client' | 'consumer'
  /** Ids and codes: never a body, a secret or a signer's data. */
  attributes?: Readonly<Record<string, string | number>>
}

/** A span that whoever began it ends. */
export type OpenSpan = {
  /** Runs with this span around it. */
  run<T>(inner: () => T): T
  end(outcome: { failed: boolean; attributes?: SpanOptions['attributes'] }): void
}

/** Tells an operator's collector what took how long, and what followed from what. */
export type Tracing = {
  begin(name: string, options?: SpanOptions): OpenSpan
  /** Runs within a span, which fails with what is thrown. */
  span<T>(name: string, options: SpanOptions, run: () => Promise<T>): Promise<T>
  /** The span that runs around the caller, as a `traceparent` to store; undefined outside of any. */
  current(): string | undefined
  /** Sends what has not been sent yet. */
  close(): Promise<void>
}

/** Wraps every operation of a port in a span, where one runs around it already. */
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

/** Ends the span when what `call` promises is settled, or at once where it promises nothing. */
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
