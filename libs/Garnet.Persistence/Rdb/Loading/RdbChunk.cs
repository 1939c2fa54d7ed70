// A part of a file with whole keys. Filled by the thread that reads the file, then processed by one worker.
namespace Garnet.Persistence.Rdb.Loading;

/// <summary>Bytes of a file and the positions of keys in them.</summary>
internal sealed class RdbChunk
{
    /// <summary>Size of a chunk; keys that do not fit are read separately.</summary>
    public const int Bytes = 1 << 20;

    /// <summary>Maximum number of keys in a chunk.</summary>
    public const int MaxKeys = 8192;

    /// <summary>The bytes; their memory is taken at the first use, since a small file fills one chunk of several.</summary>
    public byte[] Buffer
    {
        get => field ??= GC.AllocateUninitializedArray<byte>(Bytes);
        set;
    }

    /// <summary>Where each key begins.</summary>
    public int[] Starts { get; } = new int[MaxKeys];

    /// <summary>Number of keys.</summary>
    public int Keys { get; set; }

    /// <summary>Index after the last key.</summary>
    public int End { get; set; }

    /// <summary>Position of the first byte in the file.</summary>
    public long Origin { get; set; }

    /// <summary>The keys' logical database.</summary>
    public int Database { get; set; }
}
