// What the application caches. Immutable.
using System.ComponentModel;

namespace Garnet.NativeCaching;

/// <summary>A value that is stored as JSON, and shared by its readers.</summary>
[ImmutableObject(true)]
internal sealed record Price(string Article, decimal Amount);
