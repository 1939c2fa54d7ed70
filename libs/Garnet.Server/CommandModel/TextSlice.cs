// Where a text lies in an arena. Immutable.
namespace Garnet.Server.CommandModel;

/// <summary>A piece of a <see cref="TextArena"/>, or none.</summary>
internal readonly record struct TextSlice(int Chunk, int Offset, int Length)
{
    /// <summary>No text at all, which is not the empty one.</summary>
    public static TextSlice None => new(0, 0, -1);

    /// <summary>Whether there is none.</summary>
    public bool IsNone => Length < 0;

    /// <summary>Orders texts as the arena took them; where two begin at one place, the empty one came first.</summary>
    public int CompareTo(TextSlice other) =>
        Chunk != other.Chunk ? Chunk - other.Chunk
        : Offset != other.Offset ? Offset - other.Offset
        : Length - other.Length;
}
