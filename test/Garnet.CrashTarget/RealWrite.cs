// Writes to a real file at a position. Called under the file's lock.
namespace Garnet.CrashTarget;

/// <summary>Writes all of the bytes.</summary>
internal delegate void RealWrite(ReadOnlySpan<byte> bytes, long position);
