// Maps logical to physical databases and hashes keys per database. Changed only under the barrier, read by any thread inside the store.
using System.Runtime.CompilerServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Index;

/// <summary>
/// Records carry a physical database; swapping and flushing logical ones only changes this map. A key's hash does not depend on its
/// database until the physical database's salt is mixed in here, so a hash computed before a swap remains valid.
/// </summary>
internal sealed class DatabaseMap
{
    public const int Physicals = 256;
    private readonly KeyHash _hash;
    private readonly ulong[] _salts = new ulong[Physicals];
    private readonly byte[] _physical;
    private readonly short[] _logical = new short[Physicals];
    private readonly bool[] _isFlushed = new bool[Physicals];

    public DatabaseMap(int databases, ulong seed)
    {
        _hash = new KeyHash(seed);
        for (int i = 0; i < Physicals; i++)
        {
            _salts[i] = SipHash.Mix(seed + ((ulong)(i + 1) * 0xD1B54A32D192ED03));
            _logical[i] = -1;
        }

        _physical = new byte[databases];
        for (int i = 0; i < databases; i++)
        {
            _physical[i] = (byte)i;
            _logical[i] = (short)i;
        }
    }

    public int Databases => _physical.Length;

    /// <summary>True when some physical database was flushed and its records have not been removed yet.</summary>
    public bool HasFlushed { get; private set; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int PhysicalOf(int database) => _physical[database];

    /// <summary>The logical database of a physical one, -1 when it was flushed.</summary>
    public int LogicalOf(int physical) => _logical[physical];

    /// <summary>A copy of the current map from physical to logical databases.</summary>
    public short[] CopyLogicals() => (short[])_logical.Clone();

    public bool IsFlushed(int physical) => _isFlushed[physical];

    /// <summary>The seeded hash of keys, before the database is mixed in.</summary>
    public ref readonly KeyHash KeyHash => ref _hash;

    /// <summary>The hash under which the index stores a key of a physical database.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Salt(ulong hash, int physical) => hash ^ _salts[physical];

    public void Swap(int a, int b)
    {
        (_physical[a], _physical[b]) = (_physical[b], _physical[a]);
        _logical[_physical[a]] = (short)a;
        _logical[_physical[b]] = (short)b;
    }

    /// <summary>Gives a logical database a fresh physical one; false when none is free.</summary>
    public bool TryFlush(int database)
    {
        for (int i = 0; i < Physicals; i++)
        {
            if (_logical[i] < 0 && !_isFlushed[i])
            {
                int old = _physical[database];
                _logical[old] = -1;
                _isFlushed[old] = true;
                HasFlushed = true;
                _logical[i] = (short)database;
                _physical[database] = (byte)i;
                return true;
            }
        }

        return false;
    }

    /// <summary>Marks a flushed physical database as free once none of its records is left.</summary>
    public void Reclaim(int physical)
    {
        _isFlushed[physical] = false;
        HasFlushed = Array.IndexOf(_isFlushed, true) >= 0;
    }
}
