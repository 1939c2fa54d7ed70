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
    private readonly byte[] _physical; // of the logical databases, then of those that are prepared to take their place
    private readonly short[] _logical = new short[Physicals];
    private readonly bool[] _isFlushed = new bool[Physicals];
    private readonly bool[] _isPrepared = new bool[Physicals];

    public DatabaseMap(int databases, ulong seed)
    {
        _hash = new KeyHash(seed);
        for (int i = 0; i < Physicals; i++)
        {
            _salts[i] = SipHash.Mix(seed + ((ulong)(i + 1) * 0xD1B54A32D192ED03));
            _logical[i] = -1;
        }

        Databases = databases;
        _physical = new byte[databases * 2];
        for (int i = 0; i < databases; i++)
        {
            _physical[i] = (byte)i;
            _logical[i] = (short)i;
        }
    }

    public int Databases { get; }

    /// <summary>True when some physical database was flushed and its records have not been removed yet.</summary>
    public bool HasFlushed { get; private set; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int PhysicalOf(int database) => _physical[database];

    /// <summary>The logical database of a physical one, -1 when it was flushed or is prepared.</summary>
    public int LogicalOf(int physical) => _logical[physical];

    /// <summary>A copy of the current map from physical to logical databases.</summary>
    public short[] CopyLogicals() => (short[])_logical.Clone();

    public bool IsFlushed(int physical) => _isFlushed[physical];

    /// <summary>Whether a physical database is being filled and will take the place of a logical one's.</summary>
    public bool IsPrepared(int physical) => _isPrepared[physical];

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

    /// <summary>
    /// Provides a second, empty physical database for each logical one, under the number of that plus <see cref="Databases"/>; false when
    /// too few are free: one is left, so that a flush never finds none.
    /// </summary>
    public bool TryPrepare()
    {
        int[] free = [.. Enumerable.Range(0, Physicals).Where(IsFree)];
        if (free.Length <= Databases)
            return false;
        for (int i = 0; i < Databases; i++)
        {
            _physical[Databases + i] = (byte)free[i];
            _isPrepared[free[i]] = true;
        }

        return true;
    }

    /// <summary>Replaces the physical database of a logical one, which counts as flushed, by the prepared one.</summary>
    public void Exchange(int database)
    {
        Flush(_physical[database]);
        byte prepared = _physical[Databases + database];
        _isPrepared[prepared] = false;
        _logical[prepared] = (short)database;
        _physical[database] = prepared;
    }

    /// <summary>The prepared databases count as flushed.</summary>
    public void GiveUpPrepared()
    {
        for (int i = 0; i < Databases; i++)
        {
            byte prepared = _physical[Databases + i];
            _isPrepared[prepared] = false;
            Flush(prepared);
        }
    }

    /// <summary>Gives a logical database a fresh physical one; false when none is free.</summary>
    public bool TryFlush(int database)
    {
        for (int i = 0; i < Physicals; i++)
        {
            if (IsFree(i))
            {
                Flush(_physical[database]);
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

    private bool IsFree(int physical) => _logical[physical] < 0 && !_isFlushed[physical] && !_isPrepared[physical];

    private void Flush(int physical)
    {
        _logical[physical] = -1;
        _isFlushed[physical] = true;
        HasFlushed = true;
    }
}
