import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BackgroundJob, PermanentError, type JobRun } from 'nestjs-scheduled-jobs';
import { EXPORTS_QUEUE } from '../sample-queues.js';
import { SAMPLE_RETRY } from '../sample-retry.js';
import { ExportPdf } from './export-pdf.js';
import { PdfDocument } from './pdf-document.js';
import { ProjectExport } from './project-export.entity.js';

/** The name under which exports are enqueued. */
export const EXPORT_PDF = 'export-pdf';

/** An export of one of these fails, for somebody to look into. */
const ARCHIVED_PROJECTS: ReadonlySet<string> = new Set(['zeus']);

const PAGES = 6;
const PAGE_TAKES_MS = 250;
const UPLOAD_PARTS = 8;
const PART_TAKES_MS = 250;

/**
 * Slow work that somebody asked for and wants to watch.
 *
 * The key makes a request unique: the same project and version asked twice is one execution. While it runs, readers see
 * its stage and how far it has come.
 */
@Injectable()
export class ExportJobs {
  @BackgroundJob({
    name: EXPORT_PDF,
    payload: ExportPdf,
    key: ({ projectId, version }) => `${projectId}:${version}`,
    duplicates: 'return-existing',
    queue: EXPORTS_QUEUE,
    retry: SAMPLE_RETRY,
    lease: '10s',
    timeout: '5m',
    runbook: 'Bring the project back from the archive, then retry. If it was asked for by mistake, acknowledge.',
  })
  async exportPdf(run: JobRun<ExportPdf>): Promise<{ readonly bytes: number }> {
    const { projectId } = run.payload;
    if (ARCHIVED_PROJECTS.has(projectId)) {
      throw new PermanentError(`The project "${projectId}" is archived: it has no pages to export`);
    }
    const pdf = await this.render(run);
    await this.upload(run, pdf);
    return { bytes: pdf.length };
  }

  private async render(run: JobRun<ExportPdf>): Promise<Buffer> {
    const { projectId, version } = run.payload;
    const document = new PdfDocument();
    for (let page = 0; page < PAGES; page++) {
      run.progress({ stage: 'rendering', percent: (page / PAGES) * 100 });
      await delay(PAGE_TAKES_MS, undefined, { signal: run.signal });
      document.addPage(`Project ${projectId}, version ${version}: page ${page + 1} of ${PAGES}`);
    }
    return document.toBuffer();
  }

  /**
   * Takes the time of a slow network, and then stores the document: the run's transaction commits only while this worker
   * holds the lease, so that one taken for dead changes nothing.
   */
  private async upload(run: JobRun<ExportPdf>, pdf: Buffer): Promise<void> {
    const { projectId, version } = run.payload;
    for (let part = 0; part < UPLOAD_PARTS; part++) {
      run.progress({ stage: 'uploading', percent: (part / UPLOAD_PARTS) * 100 });
      await delay(PART_TAKES_MS, undefined, { signal: run.signal });
    }
    await run.transaction((manager) => manager.update(ProjectExport, { projectId, version }, { pdf }));
  }
}
