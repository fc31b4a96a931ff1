import { type ReactNode, useEffect } from 'react'
import { useApplication } from '../frame/application.ts'
import classes from '../frame/frame.module.css'

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const { name, icon } = useApplication()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <main className={classes.signIn}>
      <div className={classes.signInCard}>
        <span className={classes.brand}>
          <img src={icon} alt="" width={28} height={28} />
          {name}
        </span>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
