// The layout of an image in a chunk of a snapshot's buffer. In memory only, never on disk.
using Garnet.Store.Records;

namespace Garnet.Store.Snapshots;

/// <summary>
/// Precedes the key and the value, each of which is stored after it or in a block (given by its token); the value of a large collection
/// refers to a snapshot of its tree.
/// </summary>
internal struct ImageHeader
{
    public long ExpiresAtMs;
    public nint KeyBlock;

    /// <summary>The value's block, or its locator where it is on disk; then the salted hash of the key stands in its place.</summary>
    public nint ValueBlock;
    public nint Tree;
    public int Bytes;
    public int KeyLength;
    public int ValueLength;
    public short Database;
    public RecordType Type;
    public byte Access;
    public bool IsWalked;

    /// <summary>Whether the image ends with a <see cref="SlidingExpiry"/>.</summary>
    public bool Slides;
}
