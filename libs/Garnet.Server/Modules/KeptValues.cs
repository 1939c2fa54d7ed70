// Makes values of the bytes that were kept while their module was missing. One thread, under the barrier.
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Rdb.Values;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>
/// Looks through the keys, which other clients wait for, until no such value is left; once for each module that is loaded while there are
/// any. A value that its type does not accept stays as it is.
/// </summary>
internal sealed class KeptValues(HybridLogStore store, ILogger log, StoreSession session)
{
    private const int BucketsAtOnce = 64;

    private readonly RdbScratch _compressed = new();
    private long _loaded;
    private long _refused;

    /// <summary>Loads those that are of a type of the module.</summary>
    public void BecomeValuesOf(LoadedModule module)
    {
        bool touches = session.Accesses.Touches;
        session.Accesses.Touches = false;
        for (int database = 0; database < store.Databases.Count && store.Types.Kept.KeyCount > 0; database++)
        {
            KeyList found = new([]);
            long cursor = 0;
            do
            {
                found.Keys.Clear();
                cursor = session.Reads.Scan(database, cursor, BucketsAtOnce, ref found);
                foreach (byte[] key in found.Keys)
                    Load(module, database, key);
            } while (cursor != 0 && store.Types.Kept.KeyCount > 0);
        }

        session.Accesses.Touches = touches;
        if (_loaded > 0)
            log.LogInformation("{Count} values that were kept for the module '{Name}' are loaded", _loaded, module.Name);
        if (_refused > 0)
            log.LogWarning("{Count} values that were kept for the module '{Name}' are not accepted by it", _refused, module.Name);
    }

    private void Load(LoadedModule module, int database, byte[] key)
    {
        CustomValue value = new(session.OpenExpired(database, key, session.Hash(key)));
        if (!value.Exists || !value.Is(store.Types.Kept))
            return;
        ulong id = KeptType.TypeIdOf(value.Payload);
        CustomType? type = Array.Find(module.Types, each => CustomType.HaveOneName(each.Id, id));
        if (type is null)
            return;
        if (RdbCustomReader.Load(value.Payload, type, _compressed) is { } payload)
        {
            value.Set(type, payload);
            _loaded++;
        }
        else
        {
            _refused++;
        }
    }

    // Keys of types that modules add.
    private readonly struct KeyList(List<byte[]> keys) : IKeyVisitor
    {
        public List<byte[]> Keys { get; } = keys;

        public bool SeesExpired => true;

        public void Visit(ReadOnlySpan<byte> key, in RecordInfo info)
        {
            if (info.Type == RecordType.Custom)
                Keys.Add(key.ToArray());
        }
    }
}
