import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MemberId } from '../../models/ids.js';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import { toText } from '../bytePaths.js';
import { followStand, readStand, writeCopyRepository } from '../git/copyRepository.js';
import { adoptIndex } from '../git/FolderPart.js';
import { FolderRecorder, type FolderRecorderOptions } from '../git/FolderRecorder.js';
import { regainContents } from '../git/keepContents.js';
import { makeOwnRepository, type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { findUserRepository } from '../git/userRepository.js';
import { removeTree } from '../removeTree.js';
import type { CopyRequest, CopyResult } from '../Workspace.js';
import { type CopyPlace, takeCopyPlace } from './copyLeases.js';
import { copyUnrecordedFiles } from './copyUnrecordedFiles.js';
import { runSetup, type SetupFailure } from './runSetup.js';
import { updateCopy } from './updateCopy.js';

/** The program that prepares a copy failed, or was not started. */
class SetupFailedError extends Error {
  constructor(readonly setup: SetupFailure) {
    super(setup.detail);
  }
}

/** A folder that is recorded and copied. */
export interface CopyingOptions extends FolderRecorderOptions {
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms: readonly string[];
}

/**
 * Folders of the members' own, each with a repository that shares nothing with the user's. A copy is a cache: what was done
 * in it is recorded, so it can be deleted at any time, and is made again as it was last recorded.
 */
export class MemberCopies {
  readonly #recording: CopyingOptions;
  readonly #folder: FolderRecorder;
  readonly #places = new Map<MemberId, CopyPlace>();
  readonly #recorders = new Map<MemberId, FolderRecorder>();

  /** Copies of a folder, recorded as it is. */
  constructor(recording: CopyingOptions, folder: FolderRecorder) {
    this.#recording = recording;
    this.#folder = folder;
  }

  /** Makes the copy of a member, or brings it up to date with the folder. */
  async copyFor(request: CopyRequest): Promise<CopyResult> {
    try {
      this.#folder.settle();
      const place = this.#takePlace(request.memberId);
      const isNew = !this.#isThere(place);
      const recorder = isNew ? await this.#make(place, request) : await this.#open(request.memberId, place);
      this.#recorders.set(request.memberId, recorder);
      const behind = await this.#update(place, recorder);
      return { kind: 'ready', folder: this.#workingFolder(place), isNew, behind };
    } catch (error) {
      if (error instanceof SetupFailedError) return { kind: 'not-ready', ...error.setup };
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
      : await this.#make(place, { memberId });
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

  async #make(place: CopyPlace, { setup, signal }: CopyRequest): Promise<FolderRecorder> {
    const { git, globalConfig, conversationId, dataFolder, env, trustedPrograms } = this.#recording;
    const { user } = this.#source;
    place.writeState({ conversationId, isReady: false, stand: '' });
    await removeTree(place.folder);
    makePrivateFolder(place.folder);
    const folder = this.#workingFolder(place);
    await mkdir(folder, { recursive: true });
    const stand = user && (await readStand({ git, user, globalConfig }));
    if (user !== undefined) await writeCopyRepository({ git, user, globalConfig }, place.folder);
    await this.#checkOut(place);
    const unrecorded = await copyUnrecordedFiles({ source: this.#source, copy: place.folder, dataFolder });
    const places = { folder, projectFolder: this.#recording.folder, trustedPrograms };
    const failure = setup && (await runSetup({ ...places, command: setup, env, signal }));
    if (failure !== undefined) throw new SetupFailedError(failure);
    const recorder = new FolderRecorder(this.#recordingOf(place));
    await recorder.open();
    // Files that are in no index, and those that the setup made, are there from the beginning.
    if (unrecorded > 0 || setup !== undefined) await recorder.record();
    recorder.settle();
    recorder.acceptRepository();
    place.writeState({ conversationId, isReady: true, stand: stand ?? '' });
    return recorder;
  }

  /** Writes the files: as the copy was last recorded, or as the folder was. */
  async #checkOut(place: CopyPlace): Promise<void> {
    const source = this.#source;
    const copy = await this.#ownRepository(place);
    const base = baseOf(copy);
    if (!existsSync(copy.index) || !existsSync(base)) {
      await copyFile(source.index, copy.index);
      await copyFile(source.index, base);
    }
    await regainContents(source);
    await runInOwn(source, {
      args: ['checkout-index', '-a', '-f', '-u', '-q'],
      index: copy.index,
      workTree: place.folder,
      withUserObjects: true,
    });
    adoptIndex(copy.index);
  }

  async #update(place: CopyPlace, recorder: FolderRecorder): Promise<readonly string[]> {
    const { git, globalConfig } = this.#recording;
    recorder.settle();
    const copy = recorder.repository;
    const behind = await updateCopy({ source: this.#source, copy, base: baseOf(copy) });
    const state = place.readState();
    if (this.#source.user === undefined || copy.user === undefined || state === undefined) return behind;
    const [from, to] = [this.#source.user, copy.user].map((user) => ({ git, user, globalConfig }));
    if (from === undefined || to === undefined) return behind;
    const stand = await followStand(from, to, state.stand);
    if (stand === state.stand) return behind;
    recorder.acceptRepository();
    place.writeState({ ...state, stand });
    return behind;
  }

  /** Our repository of a copy that nothing was recorded in yet. */
  async #ownRepository(place: CopyPlace): Promise<OwnRepository> {
    const recording = this.#recordingOf(place);
    const { git, folder, globalConfig } = recording;
    const user = this.#source.user && (await findUserRepository(git, folder, globalConfig));
    return makeOwnRepository({ ...recording, user });
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

/** State of the folder that was last carried into a copy. */
function baseOf({ index }: OwnRepository): string {
  return `${index}.base`;
}
