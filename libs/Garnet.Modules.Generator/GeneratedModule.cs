// The generator's result for one class. Immutable.
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Garnet.Modules.Generator;

/// <summary>
/// The code and the mistakes that were found; equal when both are, so that the compiler does not repeat what has not changed.
/// </summary>
internal sealed class GeneratedModule(string fileName, string source, ImmutableArray<Diagnostic> diagnostics) : IEquatable<GeneratedModule>
{
    /// <summary>Name of the generated file.</summary>
    public string FileName { get; } = fileName;

    /// <summary>The code; empty when a mistake prevents it.</summary>
    public string Source { get; } = source;

    /// <summary>The mistakes.</summary>
    public ImmutableArray<Diagnostic> Diagnostics { get; } = diagnostics;

    /// <inheritdoc/>
    public bool Equals(GeneratedModule? other) =>
        other is not null && FileName == other.FileName && Source == other.Source && Diagnostics.SequenceEqual(other.Diagnostics);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as GeneratedModule);

    /// <inheritdoc/>
    public override int GetHashCode() => Source.GetHashCode();
}
