import type { Db } from '../../db/database.ts'
import { selectLongestDue } from './queries.ts'
import { rankOf, type Topic, topicRow } from './topics.ts'

/**
 * For how many milliseconds what is due of these topics has waited at most, each by its own clock:
 * work by real time, and deadlines; 0 without any.
 */
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
