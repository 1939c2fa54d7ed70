// The objects in a part of a segment that was read from disk. Used by one thread.
namespace Garnet.Store.Tiering;

/// <summary>
/// Passes over what is not an object of the segment's present use: the rest of a buffer, which is padded, and what was written when the
/// segment was used before.
/// </summary>
internal unsafe struct SegmentPart
{
    private readonly byte* _memory;
    private readonly int _bytes;
    private readonly long _position;
    private readonly uint _generation;
    private readonly int _longest;
    private readonly int _alignment;

    /// <summary>A part of a segment.</summary>
    /// <param name="memory">Its bytes.</param>
    /// <param name="bytes">How many.</param>
    /// <param name="tier">The tier.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="begin">Where in the segment the part begins.</param>
    /// <param name="alignment">That of the device.</param>
    public SegmentPart(byte* memory, int bytes, ColdTier tier, int segment, int begin, int alignment)
    {
        _memory = memory;
        _bytes = bytes;
        _position = tier.Segments.PositionOf(segment) + begin;
        _generation = tier.Segments.GenerationOf(segment);
        _longest = tier.Options.BufferBytes - TierObject.HeaderBytes;
        _alignment = alignment;
    }

    /// <summary>Where in the part the next object is looked for; at the end, up to where all objects have been seen.</summary>
    public int At { get; set; }

    /// <summary>The current object, which is whole.</summary>
    public byte* Current { get; private set; }

    /// <summary>Its place on disk.</summary>
    public ColdLocator Locator { get; private set; }

    /// <summary>Moves to the next object; false at the end, or when the rest of one is in the next part.</summary>
    public bool MoveNext()
    {
        while (At + TierObject.HeaderBytes <= _bytes)
        {
            byte* at = _memory + At;
            int length = ((TierObject*)at)->Length;
            if (length <= 0 || length > _longest || ((TierObject*)at)->Generation != _generation)
            {
                // Padding: the next object begins with the next buffer.
                At = (At + _alignment) & -_alignment;
                continue;
            }

            int taken = TierObject.BytesFor(length);
            if (taken > _bytes - At)
                return false;
            bool isWhole = TierObject.IsWhole(at, _bytes - At);
            Current = at;
            Locator = ColdLocator.Of(_position + At, taken);
            At += taken;
            if (isWhole)
                return true;
        }

        At = _bytes;
        return false;
    }
}
