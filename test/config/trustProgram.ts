// A process of its own that trusts folders. `DATA_FOLDER FOLDER …`: one after the other.
import { trustFolder } from '../../src/config/trust.js';

const [dataFolder = '', ...folders] = process.argv.slice(2);
for (const folder of folders)
  await trustFolder({ folder, fingerprint: folder, date: new Date() }, { dataFolder });
