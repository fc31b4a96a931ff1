const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Whether a Content-Type is that of JSON, in the one encoding that JSON has. */
export function isJson(contentType: string | undefined): boolean {
  return JSON_TYPE.test(contentType ?? '')
}
