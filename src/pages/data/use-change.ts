import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { live, queryClient } from './query-client.ts'

type ChangeOptions<Input, Result> = {
  change: (input: Input, idempotencyKey: string) => Promise<Result>
  onDone?: (result: Result) => void
}

/** A write. Sent twice with the same values it runs once: the key stays until they change. */
export function useChange<Input, Result>({ change, onDone }: ChangeOptions<Input, Result>) {
  const sent = useRef({ values: '', key: '' })
  return useMutation({
    mutationFn: (input: Input) => {
      const values = JSON.stringify(input)
      if (sent.current.values !== values) sent.current = { values, key: crypto.randomUUID() }
      return change(input, sent.current.key)
    },
    onSuccess: (result) => {
      sent.current = { values: '', key: '' }
      onDone?.(result)
      return queryClient.invalidateQueries({ queryKey: live() })
    },
  })
}
