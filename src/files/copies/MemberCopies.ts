import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { MemberId } from '../../models/ids.js';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import type { FolderPart } from '../git/FolderPart.js';
import { FolderRecorder, type FolderRecorderOptions } from '../git/FolderRecorder.js';
import type { OwnRepository } from '../git/ownRepository.js';
import { type BytePath, toText } from '../paths.js';
import type { CopyRequest, CopyResult, NotReady } from '../Workspace.js';
import { type CopyPlace, removeTree, takeCopyPlace } from './copyLeases.js';
import { type CopiedPart, makePart, updatePart } from './copyPart.js';

/** A new copy could not be prepared. */
class NotPreparedError extends Error {
  constructor(readonly reason: NotReady) {
    super(reason.detail);
  }
}

interface MadeCopy {
  readonly recorder: FolderRecorder;
  /** Whether its files are those of the folder. */
  readonly isCurrent: boolean;
}

/**
 * Folders of the members' own, each with a repository that shares nothing with the user's. A copy is a cache: what was done
 * in it is recorded, so it can be deleted at any time, and is made again as it was last recorded.
 */
export class MemberCopies {
  readonly #recording: FolderRecorderOptions;
  readonly #folder: FolderRecorder;
  readonly #places = new Map<MemberId, CopyPlace>();
  readonly #recorders = new Map<MemberId, FolderRecorder>();

  /** Copies of a folder, recorded as it is. */
  constructor(recording: FolderRecorderOptions, folder: FolderRecorder) {
    this.#recording = recording;
    this.#folder = folder;
  }

  /** Makes the copy of a member, or brings it up to date with the folder. */
  async copyFor(request: CopyRequest): Promise<CopyResult> {
    try {
      this.#folder.settle();
      const place = this.#takePlace(request.memberId);
      const isNew = !this.#isThere(place);
      const { recorder, isCurrent } = isNew
        ? await this.#make(place, request)
        : { recorder: await this.#open(request.memberId, place), isCurrent: false };
      this.#recorders.set(request.memberId, recorder);
      const behind = isCurrent ? [] : await this.#update(place, recorder);
      return { kind: 'ready', folder: this.#workingFolder(place), isNew, behind };
    } catch (error) {
      if (error instanceof NotPreparedError) return { kind: 'not-ready', ...error.reason };
      return { kind: 'not-ready', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Recorder of a member's copy; it is made if it is not there. */
  async recorderOf(memberId: MemberId): Promise<FolderRecorder> {
    const known = this.#recorders.get(memberId);
    if (known !== undefined) return known;
    const place = this.#takePlace(memberId);
    const recorder = this.#isThere(place)
      ? await this.#open(memberId, place)
      : (await this.#make(place, { memberId })).recorder;
    this.#recorders.set(memberId, recorder);
    return recorder;
  }

  /** Lets other conversations have the places. */
  close(): void {
    for (const recorder of this.#recorders.values()) recorder.trySettling();
    for (const place of this.#places.values()) place.release();
    this.#places.clear();
    this.#recorders.clear();
  }

  #takePlace(memberId: MemberId): CopyPlace {
    const { dataFolder, conversationId } = this.#recording;
    const folder = join(dataFolder, 'copies', basename(this.#source.gitFolder));
    const place = this.#places.get(memberId) ?? takeCopyPlace(folder, memberId, conversationId);
    this.#places.set(memberId, place);
    return place;
  }

  #isThere(place: CopyPlace): boolean {
    const state = place.readState();
    const isOurs = state?.conversationId === this.#recording.conversationId;
    return isOurs && state.isReady && existsSync(place.folder);
  }

  async #open(memberId: MemberId, place: CopyPlace): Promise<FolderRecorder> {
    const known = this.#recorders.get(memberId);
    if (known !== undefined) return known;
    const recorder = new FolderRecorder(this.#recordingOf(place));
    await recorder.open();
    return recorder;
  }

  async #make(place: CopyPlace, { prepare }: CopyRequest): Promise<MadeCopy> {
    const { conversationId } = this.#recording;
    place.writeState({ conversationId, isReady: false, stands: {} });
    await removeTree(place.folder);
    makePrivateFolder(place.folder);
    const stands: Record<BytePath, string> = {};
    let unrecorded = 0;
    let isCurrent = true;
    for (const source of this.#parts) {
      const made = await makePart(this.#partOf(source, place));
      stands[source.base] = made.stand;
      unrecorded += made.unrecorded;
      isCurrent &&= made.isCurrent;
    }
    const fault = await prepare?.(this.#workingFolder(place));
    if (fault !== undefined) throw new NotPreparedError(fault);
    const recorder = new FolderRecorder(this.#recordingOf(place));
    await recorder.open();
    // Files that are in no index, and those that its preparation made, are there from the beginning.
    if (unrecorded > 0 || prepare !== undefined) await recorder.record();
    recorder.settle();
    recorder.acceptRepository();
    place.writeState({ conversationId, isReady: true, stands });
    return { recorder, isCurrent };
  }

  /** Brings every repository of the copy up to date. Resolves with the files in which that was not possible. */
  async #update(place: CopyPlace, recorder: FolderRecorder): Promise<readonly string[]> {
    recorder.settle();
    const state = place.readState();
    const stands = { ...state?.stands };
    const behind: string[] = [];
    for (const source of this.#parts) {
      const { base } = source;
      const part = this.#partOf(source, place);
      const isThere = existsSync(join(part.folder, toText(base)));
      const isNew = stands[base] === undefined;
      // What the copy has in its place stays; one that was deleted there stays deleted.
      if (isNew === isThere && base !== '') {
        if (isThere) behind.push(toText(base));
        continue;
      }
      if (isNew) stands[base] = (await makePart(part)).stand;
      const copy = recorder.parts.find((known) => known.base === base) ?? (await recorder.openNested(base));
      const updated = await updatePart(part, copy, stands[base] ?? '');
      stands[base] = updated.stand;
      behind.push(...updated.behind);
    }
    if (state === undefined || JSON.stringify(stands) === JSON.stringify(state.stands)) return behind;
    recorder.acceptRepository();
    place.writeState({ ...state, stands });
    return behind;
  }

  /** The repository around the folder, and those nested in it: of one that says it is elsewhere there is nothing to copy. */
  get #parts(): readonly FolderPart[] {
    return this.#folder.parts.filter(({ base, repository }) => base === '' || repository.user !== undefined);
  }

  #partOf(source: FolderPart, place: CopyPlace): CopiedPart {
    const folder = this.#workingFolder(place);
    return { source, place: this.#recordingOf(place), top: place.folder, folder };
  }

  #recordingOf(place: CopyPlace): FolderRecorderOptions {
    const isPlain = this.#source.user === undefined;
    return { ...this.#recording, folder: this.#workingFolder(place), isPlain };
  }

  /** The folder in the copy that stands for the working folder. */
  #workingFolder({ folder }: CopyPlace): string {
    return join(folder, toText(this.#source.prefix).replace(/\/$/u, ''));
  }

  get #source(): OwnRepository {
    return this.#folder.repository;
  }
}
