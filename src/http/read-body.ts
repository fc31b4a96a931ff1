import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../core/errors.ts'

/**
 * Refuses `body_too_large`, or `tooLarge`, once more than `limit` bytes are declared or received,
 * and then closes the connection.
 */
export function readBody(
  message: IncomingMessage,
  response: ServerResponse,
  limit: number,
  tooLarge = new Refusal('body_too_large', `The body is larger than ${limit} bytes.`),
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      response.setHeader('connection', 'close')
      reject(tooLarge)
    }
    if (Number(message.headers['content-length'] ?? 0) > limit) {
      refuse()
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        stop()
        message.pause()
        refuse()
        return
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      const [only = Buffer.alloc(0)] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks, length) : only)
    }
    const onClose = () => {
      stop()
      reject(new Refusal('malformed_request', 'The body ended before its declared length.'))
    }
    const stop = () => {
      message.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
    }
    // Destroyed during the key lookup: no more events will come.
    if (message.destroyed) {
      onClose()
      return
    }
    message.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
  })
}
