// The position of a text in an arena. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>A piece of a <see cref="TextArena"/>, or none.</summary>
internal readonly record struct TextSlice(int Chunk, int Offset, int Length)
{
    /// <summary>No text, as opposed to the empty one.</summary>
    public static TextSlice None => new(0, 0, -1);

    /// <summary>Whether there is no text.</summary>
    public bool IsNone => Length < 0;

    /// <summary>
    /// Compares texts in the order in which the arena stored them; of two at the same position, the empty one was stored first.
    /// </summary>
    public int CompareTo(TextSlice other) =>
        Chunk != other.Chunk ? Chunk - other.Chunk
        : Offset != other.Offset ? Offset - other.Offset
        : Length - other.Length;
}
