import type { Db } from '../../db/database.ts'
import { selectLongestDue } from './queries.ts'
import { rankOf, type Topic, topicRow } from './topics.ts'

/** The longest wait in milliseconds, each by its own clock; 0 when nothing is due. */
export async function measureOldestDue(
  db: Db,
  topics: readonly Topic[],
  realNow: Date,
): Promise<{ work: number; deadline: number }> {
  const isDeadline = (topic: Topic) => topicRow(topic).clock === 'tenant'
  const oldest = async (some: readonly Topic[]) => {
    const ranks = [...new Set(some.map(rankOf))]
    return Math.max(0, (await selectLongestDue(db, some, ranks, realNow)) ?? 0)
  }
  const work = await oldest(topics.filter((topic) => !isDeadline(topic)))
  return { work, deadline: await oldest(topics.filter(isDeadline)) }
}
