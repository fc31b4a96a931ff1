/** In the largest unit that is at least one. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024).toLocaleString('en')} kB`
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(1)} MB`
  return `${(bytes / 1_073_741_824).toFixed(1)} GB`
}

/** A share as a percentage with three digits behind the point. */
export const formatShare = (share: string) => `${(Number(share) * 100).toFixed(3)} %`
