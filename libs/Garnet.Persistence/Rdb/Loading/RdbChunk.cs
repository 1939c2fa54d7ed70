// A piece of a file that holds whole keys. Filled by the thread that reads the file, then emptied by one worker.
namespace Garnet.Persistence.Rdb.Loading;

/// <summary>Bytes of a file and where in them keys begin.</summary>
internal sealed class RdbChunk
{
    /// <summary>Bytes of a chunk; keys that do not fit are read by themselves.</summary>
    public const int Bytes = 1 << 20;

    /// <summary>Keys of a chunk at most.</summary>
    public const int MaxKeys = 8192;

    /// <summary>The bytes.</summary>
    public byte[] Buffer { get; set; } = GC.AllocateUninitializedArray<byte>(Bytes);

    /// <summary>Where each key begins.</summary>
    public int[] Starts { get; } = new int[MaxKeys];

    /// <summary>Number of keys.</summary>
    public int Keys { get; set; }

    /// <summary>Index after the last key.</summary>
    public int End { get; set; }

    /// <summary>Where the first byte lies in the file.</summary>
    public long Origin { get; set; }

    /// <summary>The keys' logical database.</summary>
    public int Database { get; set; }
}
