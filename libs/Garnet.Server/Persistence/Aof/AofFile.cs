// One append-only file of Redis or Valkey. Immutable.
namespace Garnet.Server.Persistence.Aof;

/// <summary>A file to load.</summary>
/// <param name="Path">Its path.</param>
/// <param name="IsLast">Whether it is the last file, so that its end may be missing.</param>
internal readonly record struct AofFile(string Path, bool IsLast);
