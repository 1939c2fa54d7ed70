// The options of a search, parsed once. Used by the command's thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.Geo;

/// <summary>Where to search, in what order, and what to reply.</summary>
internal struct GeoOptions
{
    private bool _hasMember;
    private bool _hasPosition;

    /// <summary>The area to search.</summary>
    public GeoShape Shape;

    /// <summary>Index of the destination key among the arguments; 0 for none.</summary>
    public int TargetArgument { get; private set; }

    /// <summary>Whether distances are stored as scores.</summary>
    public bool StoresDistances { get; private set; }

    /// <summary>WITHDIST.</summary>
    public bool WithDistance { get; private set; }

    /// <summary>WITHHASH.</summary>
    public bool WithHash { get; private set; }

    /// <summary>WITHCOORD.</summary>
    public bool WithPosition { get; private set; }

    /// <summary>1 for ascending distances, -1 for descending ones, 0 for unsorted.</summary>
    public int Order { get; private set; }

    /// <summary>Maximum number of results; 0 for all.</summary>
    public long MaxResults { get; private set; }

    /// <summary>ANY: stop at the first matches.</summary>
    public bool AcceptsAny { get; private set; }

    /// <summary>
    /// Index of the argument that names the destination, needed before anything is latched; 0 for none. Accepts invalid options, which
    /// <see cref="TryParse"/> then rejects.
    /// </summary>
    public static int FindTarget(in CommandContext context, GeoForm form)
    {
        if ((form & GeoForm.SearchStore) != 0)
            return 1;
        if ((form & (GeoForm.Search | GeoForm.ReadOnly)) != 0)
            return 0;
        int target = 0;
        for (int i = FirstOption(form); i + 1 < context.Count; i++)
        {
            bool isStore = context.Is(i, "STORE"u8) || context.Is(i, "STOREDIST"u8);
            if (isStore)
                target = i + 1;
            if (isStore || context.Is(i, "COUNT"u8))
                i++;
        }

        return target;
    }

    /// <summary>Finds the keys of GEORADIUS and GEORADIUSBYMEMBER.</summary>
    public static bool FindKeys(in CommandContext context, int offset, List<KeyPosition> keys)
    {
        const int firstOption = 5;
        keys.Add(new KeyPosition(1, KeySpecFlags.RO | KeySpecFlags.Access));
        int count = context.Count - offset;
        int target = 0;
        for (int i = firstOption; i + 1 < count; i++)
        {
            if (context.Is(offset + i, "STORE"u8) || context.Is(offset + i, "STOREDIST"u8))
                target = ++i;
        }

        if (target != 0)
            keys.Add(new KeyPosition(target, KeySpecFlags.OW | KeySpecFlags.Update));
        return true;
    }

    /// <summary>
    /// Parses all arguments; writes the error and returns false if they are invalid. If the source key is absent, its members are assumed
    /// to exist.
    /// </summary>
    public bool TryParse(ref CommandContext context, GeoForm form, in SortedSetValue source)
    {
        TargetArgument = (form & GeoForm.SearchStore) != 0 ? 1 : 0;
        if (!TryParseFixed(ref context, form, in source))
            return false;
        for (int i = FirstOption(form); i < context.Count; i++)
        {
            if (TakeFlag(ref context, i, form))
                continue;
            int taken = TakeOption(ref context, i, form);
            if (taken == 0)
                taken = (form & GeoForm.Search) != 0 ? TakeArea(ref context, i, in source) : SyntaxError(ref context);
            if (taken < 0)
                return false;
            i += taken;
        }

        return Check(ref context, form);
    }

    private static int FirstOption(GeoForm form) =>
        form switch
        {
            _ when (form & GeoForm.AroundPosition) != 0 => 6,
            _ when (form & GeoForm.AroundMember) != 0 => 5,
            _ when (form & GeoForm.SearchStore) != 0 => 3,
            _ => 2,
        };

    private bool TryParseFixed(ref CommandContext context, GeoForm form, in SortedSetValue source)
    {
        GeoPoint centre = default;
        if ((form & GeoForm.AroundPosition) != 0)
        {
            if (!GeoArguments.TryGetPosition(ref context, 2, out centre) || !GeoArguments.TryGetCircle(ref context, 4, ref Shape))
                return false;
        }
        else if ((form & GeoForm.AroundMember) != 0 && source.Exists)
        {
            if (
                !GeoArguments.TryGetPosition(ref context, in source, 2, out centre) || !GeoArguments.TryGetCircle(ref context, 3, ref Shape)
            )
            {
                return false;
            }
        }

        Shape.Centre = centre;
        return true;
    }

    // An option without a value.
    private bool TakeFlag(ref CommandContext context, int index, GeoForm form)
    {
        if (context.Is(index, "WITHDIST"u8))
            WithDistance = true;
        else if (context.Is(index, "WITHHASH"u8))
            WithHash = true;
        else if (context.Is(index, "WITHCOORD"u8))
            WithPosition = true;
        else if (context.Is(index, "ANY"u8))
            AcceptsAny = true;
        else if (context.Is(index, "ASC"u8))
            Order = 1;
        else if (context.Is(index, "DESC"u8))
            Order = -1;
        else if ((form & GeoForm.SearchStore) != 0 && context.Is(index, "STOREDIST"u8))
            StoresDistances = true;
        else
            return false;
        return true;
    }

    // COUNT and the destination: returns the number of further arguments consumed; 0 if the argument is neither, negative after an error.
    private int TakeOption(ref CommandContext context, int index, GeoForm form)
    {
        if (index + 1 >= context.Count)
            return 0;
        if (context.Is(index, "COUNT"u8))
        {
            if (!context.TryGetInteger(index + 1, out long count))
                return -1;
            if (count <= 0)
            {
                context.Reply.WriteError("ERR COUNT must be > 0"u8);
                return -1;
            }

            MaxResults = count;
            return 1;
        }

        bool storesDistances = context.Is(index, "STOREDIST"u8);
        if ((form & (GeoForm.ReadOnly | GeoForm.Search)) != 0 || (!storesDistances && !context.Is(index, "STORE"u8)))
            return 0;
        (TargetArgument, StoresDistances) = (index + 1, storesDistances);
        return 1;
    }

    // FROM... and BY...: returns the number of further arguments consumed; negative after an error.
    private int TakeArea(ref CommandContext context, int index, in SortedSetValue source)
    {
        int left = context.Count - index - 1;
        bool isPolygon = Shape.Kind == GeoShapeKind.Polygon;
        bool isShapeFree = Shape.Kind == GeoShapeKind.None;
        if (left >= 1 && !_hasPosition && !isPolygon && context.Is(index, "FROMMEMBER"u8))
        {
            _hasMember = true;
            if (!source.Exists)
                return 1;
            if (!GeoArguments.TryGetPosition(ref context, in source, index + 1, out GeoPoint centre))
                return -1;
            Shape.Centre = centre;
            return 1;
        }

        if (left >= 2 && !_hasMember && !isPolygon && context.Is(index, "FROMLONLAT"u8))
        {
            _hasPosition = true;
            if (!GeoArguments.TryGetPosition(ref context, index + 1, out GeoPoint centre))
                return -1;
            Shape.Centre = centre;
            return 2;
        }

        if (left >= 2 && (isShapeFree || Shape.Kind == GeoShapeKind.Circle) && context.Is(index, "BYRADIUS"u8))
            return GeoArguments.TryGetCircle(ref context, index + 1, ref Shape) ? 2 : -1;
        if (left >= 3 && (isShapeFree || Shape.Kind == GeoShapeKind.Box) && context.Is(index, "BYBOX"u8))
            return GeoArguments.TryGetBox(ref context, index + 1, ref Shape) ? 3 : -1;
        if (left >= 2 && (isShapeFree || isPolygon) && !_hasMember && !_hasPosition && context.Is(index, "BYPOLYGON"u8))
            return GeoArguments.TryGetPolygon(ref context, index + 1, ref Shape) ? 1 + (2 * Shape.Vertices.Length) : -1;
        return SyntaxError(ref context);
    }

    private static int SyntaxError(ref CommandContext context)
    {
        context.Reply.WriteError(ErrorText.Syntax);
        return -1;
    }

    private readonly bool Check(ref CommandContext context, GeoForm form)
    {
        if (TargetArgument != 0 && (WithDistance || WithHash || WithPosition))
        {
            context.Reply.WriteError([
                .. "ERR "u8,
                .. (form & GeoForm.SearchStore) != 0 ? "GEOSEARCHSTORE"u8 : "STORE option in GEORADIUS"u8,
                .. " is not compatible with WITHDIST, WITHHASH and WITHCOORD options"u8,
            ]);
        }
        else if ((form & GeoForm.Search) != 0 && !_hasMember && !_hasPosition && Shape.Kind != GeoShapeKind.Polygon)
        {
            context.Reply.WriteError([.. "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for "u8, .. context[0]]);
        }
        else if ((form & GeoForm.Search) != 0 && Shape.Kind == GeoShapeKind.None)
        {
            context.Reply.WriteError([.. "ERR exactly one of BYRADIUS, BYBOX and BYPOLYGON can be specified for "u8, .. context[0]]);
        }
        else if (AcceptsAny && MaxResults == 0)
        {
            context.Reply.WriteError("ERR the ANY argument requires COUNT argument"u8);
        }
        else
        {
            return true;
        }

        return false;
    }
}
