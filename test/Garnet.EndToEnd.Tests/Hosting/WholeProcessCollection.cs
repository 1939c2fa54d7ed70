// Keeps tests apart that change or look at what belongs to the whole process.
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

[CollectionDefinition(Name)]
public sealed class WholeProcessCollection
{
    public const string Name = "whole process";
}
