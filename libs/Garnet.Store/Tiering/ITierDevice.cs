// What holds the values that are not in memory. Thread-safe.
namespace Garnet.Store.Tiering;

/// <summary>A range of bytes on a disk. Nothing in it outlives the process.</summary>
internal interface ITierDevice : IDisposable
{
    /// <summary>Positions, lengths and memory of reads and writes are multiples of this.</summary>
    int Alignment { get; }

    /// <summary>Begins to write; <paramref name="done"/> is called once, on any thread, with 0 or an error number. The memory stays until
    /// then.</summary>
    void Write(long position, nint source, int bytes, Action<int> done);

    /// <summary>Begins to read; <paramref name="done"/> is called once, on any thread, with 0 or an error number. The memory stays until
    /// then.</summary>
    void Read(long position, nint target, int bytes, Action<int> done);
}
