// How an image lies in a chunk of a snapshot's buffer. Only in memory, never on disk.
using Garnet.Store.Records;

namespace Garnet.Store.Snapshots;

/// <summary>
/// Stands before the key and the value, each of which lies behind it or in a block (whose token it is then); the value of a large
/// collection leads to a picture of its tree.
/// </summary>
internal struct ImageHeader
{
    public long ExpiresAtMs;
    public nint KeyBlock;
    public nint ValueBlock;
    public nint Tree;
    public int Bytes;
    public int KeyLength;
    public int ValueLength;
    public short Database;
    public RecordType Type;
    public byte Access;
    public bool IsWalked;

    /// <summary>Whether a <see cref="SlidingExpiry"/> stands at the image's end.</summary>
    public bool Slides;
}
