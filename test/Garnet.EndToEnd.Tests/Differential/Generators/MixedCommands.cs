// Random histories that mix the families, so that commands also see values created by other families. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class MixedCommands : CommandGenerator
{
    private readonly CommandGenerator[] _families;

    public MixedCommands(ArgumentSource source, Dialect dialect)
        : base(source, dialect)
    {
        _families =
        [
            new StringCommands(source, dialect),
            new BitmapCommands(source, dialect),
            new HyperLogLogCommands(source, dialect),
            new KeyCommands(source, dialect),
            new HashCommands(source, dialect),
            new SetCommands(source, dialect),
        ];

        // Redis's replies to these differ too much for mixed histories.
        if (IsValkey)
        {
            _families =
            [
                .. _families,
                new ListCommands(source, dialect),
                new SortedSetCommands(source, dialect),
                new StreamCommands(source, dialect),
                new GeoCommands(source, dialect),
            ];
        }
    }

    public override void Next()
    {
        CommandGenerator family = Source.Pick(_families);
        family.Join(this);
        family.Next();
    }
}
