/** Faults that end in the background. */
export class BackgroundTasks {
  protected readonly tasks = new Set<Promise<void>>();

  runInBackground(task: Promise<void>): void {
    this.tasks.add(task);
    void task.finally(() => this.tasks.delete(task));
  }

  async finishBackgroundTasks(): Promise<void> {
    await Promise.all(this.tasks);
  }
}
