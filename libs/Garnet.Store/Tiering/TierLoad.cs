// One read of a value. Changed under the lock of TierLoads; its bytes are written by the device and read once it is done.
using System.Runtime.InteropServices;

namespace Garnet.Store.Tiering;

/// <summary>A read that is under way, or whose value nobody has taken yet.</summary>
internal sealed unsafe class TierLoad
{
    /// <summary>The error of a value whose bytes are not what was written.</summary>
    public const int Garbled = -1;

    /// <summary>The error of a read that did not come back in time.</summary>
    public const int Late = -2;

    private readonly int _offset;
    private byte* _memory;
    private int _parties;

    /// <summary>Takes memory for a read.</summary>
    public TierLoad(ColdLocator locator, ulong hash, int alignment)
    {
        Locator = locator;
        Hash = hash;
        From = locator.Position & -alignment;
        _offset = (int)(locator.Position - From);
        Bytes = (_offset + locator.Bytes + alignment - 1) & -alignment;
        _memory = (byte*)NativeMemory.AlignedAlloc((nuint)Bytes, (nuint)alignment);
        ChangedAtMs = Environment.TickCount64;
    }

    /// <summary>What is read.</summary>
    public ColdLocator Locator { get; }

    /// <summary>The salted hash of its key.</summary>
    public ulong Hash { get; }

    /// <summary>The first byte that is read.</summary>
    public long From { get; }

    /// <summary>How many are.</summary>
    public int Bytes { get; }

    /// <summary>Where they go.</summary>
    public nint Memory => (nint)_memory;

    /// <summary>Whether the read is over.</summary>
    public bool IsDone { get; private set; }

    /// <summary>0, or an error's number.</summary>
    public int Error { get; private set; }

    /// <summary>When it was begun, or ended: milliseconds of the system's tick count.</summary>
    public long ChangedAtMs { get; private set; }

    /// <summary>Whether the device has answered.</summary>
    public bool IsAnswered { get; private set; }

    /// <summary>Whether nobody wants it any more.</summary>
    public bool IsDropped { get; set; }

    /// <summary>Those who wait for it.</summary>
    public List<LoadWait> Waits { get; } = new(1);

    /// <summary>How often its segment had been used when the value was written.</summary>
    public uint Generation => ((TierObject*)(_memory + _offset))->Generation;

    /// <summary>The value.</summary>
    public ReadOnlySpan<byte> Value => TierObject.ValueOf(_memory + _offset);

    /// <summary>The read has come back.</summary>
    public void End(int error)
    {
        IsAnswered = true;
        if (IsDone)
            return;
        byte* at = _memory + _offset;
        bool isWhole = error == 0 && TierObject.IsWhole(at, Bytes - _offset) && ((TierObject*)at)->Hash == Hash;
        Error = error == 0 && !isWhole ? Garbled : error;
        IsDone = true;
        ChangedAtMs = Environment.TickCount64;
    }

    /// <summary>Whether the device has answered, for one thread that waits without the lock.</summary>
    public bool IsAnsweredNow => Volatile.Read(ref _parties) > 0;

    /// <summary>
    /// As <see cref="End"/>, for a read that only one thread waits for; false when that thread has given it up, and its memory is freed.
    /// </summary>
    public bool TryEndAlone(int error)
    {
        End(error);
        if (Interlocked.Increment(ref _parties) == 1)
            return true;
        Free();
        return false;
    }

    /// <summary>The one thread does not wait any longer: true when the device will free the memory, false when it has answered.</summary>
    public bool TryGiveUpAlone() => Interlocked.Increment(ref _parties) == 1;

    /// <summary>It is not waited for any longer.</summary>
    public void GiveUp()
    {
        Error = Late;
        IsDone = true;
        ChangedAtMs = Environment.TickCount64;
    }

    /// <summary>Frees the memory.</summary>
    public void Free()
    {
        NativeMemory.AlignedFree(_memory);
        _memory = null;
    }
}
